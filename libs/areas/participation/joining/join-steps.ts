import { Injectable } from '@nestjs/common';
import type { Queryable, Transaction } from '#platform/database/database';
import { NotificationsCommands } from '../../notifications/notifications.commands';
import { stateOf } from './admission.rules';
import type { ArrivalRow, KnownArrival } from './arrivals';
import { Participations, type Seat } from '../record/participations';
import { TicketCodes } from '../tickets/ticket-codes';

/** What a step changed about the event as its viewer sees it. */
export type Step = Pick<ArrivalRow, 'participation'> & Partial<Pick<ArrivalRow, 'confirmed_count' | 'check_in_code'>>;

/** What somebody does who was admitted. But for `takeSeat` the event is locked by the caller. */
@Injectable()
export class JoinSteps {
  constructor(
    private readonly participations: Participations,
    private readonly tickets: TicketCodes,
    private readonly notifications: NotificationsCommands,
  ) {}

  /** Null when the event is full or anything that was judged has changed. */
  async takeSeat(on: Queryable, arrival: KnownArrival): Promise<Step | null> {
    const { event, eventId, caller } = arrival;
    const seat = await this.participations.takeSeat(on, eventId, caller.id, { revision: event.revision, from: stateOf(arrival) });
    return seat && confirmed(seat);
  }

  /** Spends the code; 422 for one that is missing, unknown or used. */
  async joinWithTicket(tx: Transaction, { eventId, caller }: KnownArrival, typedCode: string | null): Promise<Step> {
    const code = await this.tickets.use(tx, eventId, caller.id, typedCode);
    const participation = await this.participations.of(tx, eventId, caller.id);
    const seat = await this.participations.apply(tx, 'join', participation, code);
    if (!seat) throw new Error('a join from no relation always takes a seat');
    return confirmed(seat);
  }

  /** The organizer is told. */
  async request(tx: Transaction, { event, eventId, caller }: KnownArrival): Promise<Step> {
    await this.participations.apply(tx, 'request', await this.participations.of(tx, eventId, caller.id));
    await this.notifications.tell(tx, 'request', { eventId, userIds: [Number(event.organizer_id)], personId: caller.id });
    return { participation: 'requested' };
  }

  async wait(tx: Transaction, { eventId, caller }: KnownArrival): Promise<Step> {
    await this.participations.apply(tx, 'waitlist', await this.participations.of(tx, eventId, caller.id));
    return { participation: 'waitlisted' };
  }

  /** 409 `not_participant` without anything to leave. */
  async leave(tx: Transaction, { eventId, caller }: KnownArrival): Promise<void> {
    const participation = await this.participations.of(tx, eventId, caller.id);
    this.participations.refuseUnlessMoves('leave', participation);
    await this.participations.apply(tx, 'leave', participation);
  }
}

function confirmed({ confirmedCount, checkInCode }: Seat): Step {
  return { participation: 'confirmed', confirmed_count: confirmedCount, check_in_code: checkInCode };
}
