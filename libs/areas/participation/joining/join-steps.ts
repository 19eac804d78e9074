import { Injectable } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import type { Transaction } from '#platform/database/database';
import { Refusal } from '#platform/http/refusal';
import { NotificationsCommands } from '../../notifications/notifications.commands';
import type { State } from '../record/participation.transitions';
import { Participations } from '../record/participations';
import type { EventToJoinRow } from '../record/viewer-event.row';
import { COUNT_WAITLISTED } from '../waitlist/waitlist.query';
import type { JoinContext } from './admission.rules';

/** The columns of `EventToJoinRow` that an action of `JoinSteps` changes. */
export type Step = Pick<EventToJoinRow, 'participation'> &
  Partial<
    Pick<
      EventToJoinRow,
      'confirmed_count' | 'check_in_code' | 'offer_expires_at' | 'waitlist_position' | 'offers_count' | 'offers_until'
    >
  >;

/** A person's actions at an event. The calling code has locked the event and checked the rules. */
@Injectable()
export class JoinSteps {
  constructor(
    private readonly participations: Participations,
    private readonly notifications: NotificationsCommands,
  ) {}

  /** Confirms the person. `ticketCode`: the code of the used ticket, if any. */
  async join(tx: Transaction, { eventId, caller }: JoinContext, ticketCode: string | null): Promise<Step> {
    const participation = await this.participations.load(tx, eventId, caller.id);
    const seat = await this.participations.move(tx, 'join', participation, ticketCode);
    if (!seat) throw new Error('the join has taken no seat');
    return { ...seat, offer_expires_at: null, waitlist_position: null };
  }

  /** Stores a request and notifies the organizer. */
  async request(tx: Transaction, { event, eventId, caller }: JoinContext): Promise<Step> {
    await this.participations.move(tx, 'request', await this.participations.load(tx, eventId, caller.id));
    await this.notifications.notify(tx, 'request', {
      eventId,
      userIds: [Number(event.organizer_id)],
      personId: caller.id,
    });
    return { participation: 'requested' };
  }

  /** Adds the person to the end of the waitlist. */
  async joinWaitlist(tx: Transaction, { eventId, caller }: JoinContext): Promise<Step> {
    await this.participations.move(tx, 'waitlist', await this.participations.load(tx, eventId, caller.id));
    return { participation: 'waitlisted', waitlist_position: await this.countWaitlisted(tx, eventId) };
  }

  /** Throws 409 `waitlist_limit_reached` if the waitlist is full. */
  async refuseFullWaitlist(tx: Transaction, eventId: number): Promise<void> {
    if ((await this.countWaitlisted(tx, eventId)) >= LIMITS.participation.waitlisted_per_event)
      throw new Refusal('waitlist_limit_reached');
  }

  private async countWaitlisted(tx: Transaction, eventId: number): Promise<number> {
    const [row] = await tx.rows<{ waitlisted: number }>(COUNT_WAITLISTED, [eventId]);
    return row?.waitlisted ?? 0;
  }

  /**
   * Ends the person's relation to the event and returns its former state. Throws 409 `not_participant` if there is no
   * relation, or if it is `declined`.
   */
  async leave(tx: Transaction, { eventId, caller }: JoinContext): Promise<State> {
    const participation = await this.participations.load(tx, eventId, caller.id);
    const { state } = participation;
    await this.participations.move(tx, 'leave', participation);
    return state;
  }
}
