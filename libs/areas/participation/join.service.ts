import { Injectable } from '@nestjs/common';
import { Database, type Queryable, type Transaction } from '#platform/database/database';
import type { Input } from '#platform/http/input';
import { Refusal } from '#platform/http/refusal';
import { ServiceBusy } from '#platform/capacity/service-busy';
import { WireFormat } from '#platform/http/wire-format';
import { Clock } from '#platform/time/clock';
import { lockEventForChange } from '../events/event-locks';
import { isUnrelatedToPrivateEvent } from '../events/event-relation';
import type { Caller } from '../identity/caller.reader';
import { lockAccount } from '../identity/users.reader';
import { discoverEventResource, type DiscoverEventResource } from './event-for-viewer.resource';
import { SELECT_EVENT_TO_JOIN } from './record/participation.query';
import type { State } from './record/participation.transitions';
import { Participations } from './record/participations';
import type { EventToJoinRow } from './record/viewer-event.row';
import { areSeatsDue, isLapsed } from './waitlist/seats.rules';
import { WaitlistSeats } from './waitlist/waitlist-seats';
import {
  viewerAtEvent,
  refuseFirst,
  refuseJoin,
  refuseUnknownAndBanned,
  stateOf,
  WAITLIST_ADMISSION,
  type JoinContext,
} from './joining/admission.rules';
import type { JoinDto } from './join.dto';
import { JoinPasswords, refusalThrownBy } from './joining/join-passwords';
import { JoinSteps, type Step } from './joining/join-steps';
import { TicketCodes } from './tickets/ticket-codes';

/**
 * Maximum number of attempts to join. A new attempt is made after `settleAlone`, and if the event, the participation or
 * the free seats change between reading the event and taking the seat. A join that needs more attempts is a sign of
 * overload, and gets a 503.
 */
const ATTEMPTS = 8;
const RETRY_AFTER_SECONDS = 1;

/** Joining, leaving and waiting (JOIN-1, JOIN-19, JOIN-21). */
@Injectable()
export class JoinService {
  constructor(
    private readonly database: Database,
    private readonly passwords: JoinPasswords,
    private readonly participations: Participations,
    private readonly steps: JoinSteps,
    private readonly tickets: TicketCodes,
    private readonly seats: WaitlistSeats,
    private readonly wire: WireFormat,
    private readonly clock: Clock,
  ) {}

  /**
   * Joins the event, accepts an invitation or an offer, or sends a request to join. Returns the event with the current
   * `viewer`. Throws the refusals of `refuseJoin`, and 503 after `ATTEMPTS` attempts.
   *
   * If the join only needs a free seat, the rules are checked without a lock. Then one statement takes the seat if the
   * checked state is still current. If the state has changed, the rules are checked again. Tickets and requests to join
   * have further limits besides the seats, and an offer already holds a seat. Therefore the event is locked for a
   * request to join, and for a join with a ticket or an offer. If offers have expired or free seats belong to the
   * waitlist, `settleAlone` is called before the rules are checked (JOIN-58). The transaction of `settleAlone` remains
   * committed even if the join is refused, except in a request with an `Idempotency-Key` and in a dry run.
   */
  async join(caller: Caller, eventId: number, input: Input<JoinDto>): Promise<DiscoverEventResource> {
    const checkPassword = this.passwords.checkOnce();
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const event = await this.eventToJoin(this.database, caller, eventId);
      const now = this.clock.now();
      if (event && areSeatsDue(event, now)) {
        // If the request has an `Idempotency-Key` or is a dry run, `settleAlone` begins the transaction of the request.
        // The password must be checked before that (`checkOnce`).
        if (mayNeedPassword(event, now))
          await refusalThrownBy(() => checkPassword({ event, eventId, caller, now }, input.read().password ?? null));
        await this.seats.settleAlone(eventId);
        continue;
      }
      const context = await refuseJoin(
        event,
        { eventId, caller, now },
        {
          body: () => input.read(),
          password: checkPassword,
          // The ticket is used only under the lock of the event (`joinLocked`).
          ticket: async () => undefined,
        },
      );
      const joined = needsLock(context) ? await this.joinLocked(context, input) : await this.takeSeat(context);
      if (joined) return joined;
    }
    throw new ServiceBusy(RETRY_AFTER_SECONDS);
  }

  /**
   * Leaves the event or its waitlist, declines an invitation or an offer, or withdraws the request to join. Returns the
   * former state.
   */
  async leave(caller: Caller, eventId: number): Promise<State> {
    return this.database.transaction(async (tx) => {
      const context = refuseUnknownAndBanned(await this.lockEventToJoin(tx, caller, eventId), {
        eventId,
        caller,
        now: this.clock.now(),
      });
      if (isUnrelatedToPrivateEvent(context.event, viewerAtEvent(context))) throw new Refusal('not_found');
      return this.steps.leave(tx, context);
    });
  }

  /** Joins the waitlist of a full event. Returns the event with the current `viewer`. */
  async waitlist(caller: Caller, eventId: number): Promise<DiscoverEventResource> {
    return this.database.transaction(async (tx) => {
      const context = refuseUnknownAndBanned(await this.lockEventToJoin(tx, caller, eventId), {
        eventId,
        caller,
        now: this.clock.now(),
      });
      refuseFirst(WAITLIST_ADMISSION, context);
      await this.steps.refuseFullWaitlist(tx, eventId);
      return this.resourceAfter(context, await this.steps.joinWaitlist(tx, context));
    });
  }

  /**
   * Takes a seat without a lock. Returns null if the event is full, or if the event or the participation has changed
   * since the rules were checked.
   */
  private async takeSeat(context: JoinContext): Promise<DiscoverEventResource | null> {
    const { event, eventId, caller } = context;
    const checked = { revision: event.revision, from: stateOf(context) };
    const seat = await this.participations.takeSeat(this.database.autocommit, eventId, caller.id, checked);
    return seat && this.resourceAfter(context, seat);
  }

  /**
   * Locks the event and the account, checks the rules again (except the password) and stores the change. Used for a
   * request to join, and for a join with a ticket or an offer. Returns null if the event or the participation has
   * changed in the meantime, or if expired offers or free seats must be settled first (`areSeatsDue`).
   */
  private async joinLocked(
    { caller, eventId, event: checked }: JoinContext,
    input: Input<JoinDto>,
  ): Promise<DiscoverEventResource | null> {
    return this.database.transaction(async (tx) => {
      await this.lock(tx, caller, eventId);
      const event = await this.eventToJoin(tx, caller, eventId);
      const isUnchanged = event?.revision === checked.revision && event.participation === checked.participation;
      if (!isUnchanged || areSeatsDue(event, this.clock.now())) return null;
      let usedTicket: string | null = null;
      const context = await refuseJoin(
        event,
        { eventId, caller, now: this.clock.now() },
        {
          body: () => input.read(),
          password: async () => undefined,
          ticket: async (locked, code) => {
            usedTicket = await this.tickets.use(tx, eventId, locked.caller.id, code);
          },
        },
      );
      const step =
        event.join_mode === 'request' ? this.steps.request(tx, context) : this.steps.join(tx, context, usedTicket);
      return this.resourceAfter(context, await step);
    });
  }

  private async eventToJoin(database: Queryable, caller: Caller, eventId: number): Promise<EventToJoinRow | undefined> {
    const [event] = await database.rows<EventToJoinRow>(SELECT_EVENT_TO_JOIN, [caller.id, eventId]);
    return event;
  }

  /**
   * Locks the event and the caller's account until the transaction ends. Then ends offers and gives free seats to the
   * waitlist, if that is due (`areSeatsDue`). Returns the event; undefined if it does not exist.
   */
  private async lockEventToJoin(tx: Transaction, caller: Caller, eventId: number): Promise<EventToJoinRow | undefined> {
    await this.lock(tx, caller, eventId);
    const event = await this.eventToJoin(tx, caller, eventId);
    if (!event || !areSeatsDue(event, this.clock.now())) return event;
    await this.seats.settle(tx, [eventId]);
    return this.eventToJoin(tx, caller, eventId);
  }

  private async lock(tx: Transaction, caller: Caller, eventId: number): Promise<void> {
    await lockEventForChange(tx, eventId);
    await lockAccount(tx, caller.id);
  }

  /** The event after the step: the columns that were read before the step, with the changes of the step. */
  private resourceAfter({ event, caller }: JoinContext, step: Step): DiscoverEventResource {
    return discoverEventResource({ ...event, ...step }, caller, this.clock.now(), this.wire);
  }
}

/**
 * Whether the join may need the event's password. A person whose offer has expired joins like a person who has no
 * relation to the event.
 */
function mayNeedPassword(event: EventToJoinRow, now: Date): boolean {
  return event.join_mode === 'password' && (event.participation === null || isLapsed(event, now));
}

/** Whether the event must be locked: for a request to join, and for a join with a ticket or an offer. */
function needsLock({ event }: JoinContext): boolean {
  if (event.participation === 'waitlisted') return true;
  return event.participation === null && (event.join_mode === 'request' || event.join_mode === 'tickets');
}
