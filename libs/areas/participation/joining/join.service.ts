import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '#platform/database/database';
import type { Input } from '#platform/http/input';
import { Refusal } from '#platform/http/refusal';
import { ServiceBusy } from '#platform/http/service-busy';
import { isStrangerToPrivate } from '../../events/event-relation';
import type { Caller } from '../../identity/caller.reader';
import { ADMISSION, personOf, refuseFirst, WAITLIST_ADMISSION } from './admission.rules';
import { Arrivals, type KnownArrival } from './arrivals';
import type { DiscoverEventResource } from '../event-for-viewer.resource';
import { EventForViewerReader } from '../event-for-viewer.reader';
import type { JoinDto } from './join.dto';
import { JoinPasswords } from './join-passwords';
import { JoinSteps, type Step } from './join-steps';

/** How often a join is judged anew because the event changed between the look and the step; more is no bad luck but overload. */
const LOOKS = 8;
const SECONDS_TO_CALM_DOWN = 1;

/** Joining, leaving and waiting (JOIN-1, JOIN-19, JOIN-21). */
@Injectable()
export class JoinService {
  constructor(
    private readonly database: Database,
    private readonly arrivals: Arrivals,
    private readonly passwords: JoinPasswords,
    private readonly steps: JoinSteps,
    private readonly forViewer: EventForViewerReader,
  ) {}

  /**
   * Joins, accepts an invitation, or sends a request. The event with fresh `viewer`.
   *
   * Where only a seat has to be free, the event is judged as it stands, without a lock, and the seat taken by one statement
   * that succeeds only if what was judged still holds; else it is judged again. Tickets and requests count more than seats
   * and go through the event's lock.
   */
  async join(caller: Caller, eventId: number, input: Input<JoinDto>): Promise<DiscoverEventResource> {
    for (let look = 1; look <= LOOKS; look++) {
      const arrival = await this.arrivals.at(this.database, caller, eventId);
      const attempt = input.read();
      refuseFirst(ADMISSION, arrival);
      const joined = await this.enter(arrival, attempt);
      if (joined) return joined;
    }
    throw new ServiceBusy(SECONDS_TO_CALM_DOWN);
  }

  /** The step that is open to somebody admitted; null when the circumstances have changed since they were judged. */
  private async enter(arrival: KnownArrival, { password = null, ticket_code = null }: JoinDto): Promise<DiscoverEventResource | null> {
    const { participation, join_mode } = arrival.event;
    if (participation === null) {
      if (join_mode === 'request') return this.throughLock(arrival, (tx) => this.steps.request(tx, arrival));
      if (join_mode === 'tickets') return this.throughLock(arrival, (tx) => this.steps.joinWithTicket(tx, arrival, ticket_code));
      if (join_mode === 'password') await this.passwords.check(arrival, password);
    }
    const seat = await this.steps.takeSeat(this.database, arrival);
    return seat && this.shown(arrival, seat);
  }

  /** Leaves, declines an invitation, leaves the waitlist or cancels the request, whichever there is. */
  async leave(caller: Caller, eventId: number): Promise<void> {
    await this.database.transaction(async (tx) => {
      const arrival = await this.arrivals.locked(tx, caller, eventId);
      if (isStrangerToPrivate(arrival.event, personOf(arrival))) throw new Refusal('not_found');
      await this.steps.leave(tx, arrival);
    });
  }

  /** Joins the waitlist of a full event. The event with fresh `viewer`. */
  async waitlist(caller: Caller, eventId: number): Promise<DiscoverEventResource> {
    return this.database.transaction(async (tx) => {
      const arrival = await this.arrivals.locked(tx, caller, eventId);
      refuseFirst(WAITLIST_ADMISSION, arrival);
      return this.shown(arrival, await this.steps.wait(tx, arrival));
    });
  }

  /** With the event locked: judges once more, and takes the step if the circumstances are still the same. */
  private async throughLock(
    { caller, eventId, event: judged }: KnownArrival,
    step: (tx: Transaction) => Promise<Step>,
  ): Promise<DiscoverEventResource | null> {
    return this.database.transaction(async (tx) => {
      const arrival = await this.arrivals.locked(tx, caller, eventId);
      if (arrival.event.revision !== judged.revision || arrival.event.participation !== judged.participation) return null;
      refuseFirst(ADMISSION, arrival);
      return this.shown(arrival, await step(tx));
    });
  }

  /** The event as it is after the step: what was read before it, and what the step changed. */
  private shown({ event, caller }: KnownArrival, step: Step): DiscoverEventResource {
    return this.forViewer.resource({ ...event, ...step }, caller);
  }
}
