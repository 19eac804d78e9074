import { Injectable } from '@nestjs/common';
import type { Transaction } from '#platform/database/database';
import { NotificationsCommands } from '../../notifications/notifications.commands';
import { Participations } from '../record/participations';
import type { EventToJoinRow } from '../record/viewer-event.row';
import { TicketCodes } from '../tickets/ticket-codes';
import type { JoinContext } from './admission.rules';

/** What a step changed about the event as its viewer sees it. */
export type Step = Pick<EventToJoinRow, 'participation'> &
  Partial<Pick<EventToJoinRow, 'confirmed_count' | 'check_in_code'>>;

/** What somebody does who was admitted to an event that the caller has locked. */
@Injectable()
export class JoinSteps {
  constructor(
    private readonly participations: Participations,
    private readonly tickets: TicketCodes,
    private readonly notifications: NotificationsCommands,
  ) {}

  /** Uses the ticket code, which it returns as stored; 422 for one that is missing, unknown or used. */
  async useTicket(tx: Transaction, { eventId, caller }: JoinContext, typedCode: string | null): Promise<string> {
    return this.tickets.use(tx, eventId, caller.id, typedCode);
  }

  /** With a ticket that was used for it. */
  async join(tx: Transaction, { eventId, caller }: JoinContext, ticketCode: string | null): Promise<Step> {
    const participation = await this.participations.load(tx, eventId, caller.id);
    const seat = await this.participations.move(tx, 'join', participation, ticketCode);
    if (!seat) throw new Error('a join from no relation always takes a seat');
    return seat;
  }

  /** The organizer is told. */
  async request(tx: Transaction, { event, eventId, caller }: JoinContext): Promise<Step> {
    await this.participations.move(tx, 'request', await this.participations.load(tx, eventId, caller.id));
    await this.notifications.notify(tx, 'request', {
      eventId,
      userIds: [Number(event.organizer_id)],
      personId: caller.id,
    });
    return { participation: 'requested' };
  }

  async wait(tx: Transaction, { eventId, caller }: JoinContext): Promise<Step> {
    await this.participations.move(tx, 'waitlist', await this.participations.load(tx, eventId, caller.id));
    return { participation: 'waitlisted' };
  }

  /** 409 `not_participant` without anything to leave. */
  async leave(tx: Transaction, { eventId, caller }: JoinContext): Promise<void> {
    await this.participations.move(tx, 'leave', await this.participations.load(tx, eventId, caller.id));
  }
}
