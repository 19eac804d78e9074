import { Injectable } from '@nestjs/common';
import type { Transaction } from '#platform/database/database';
import { Refusal } from '#platform/http/refusal';
import { Clock } from '#platform/time/clock';
import { CreditsReader } from '../../credits/credits.reader';
import type { Event } from '../../events/event.entity';
import { UsersReader } from '../../identity/users.reader';
import { NotificationsCommands } from '../../notifications/notifications.commands';
import { CheckIns } from '../door/check-ins';
import { readCode } from '../codes';
import { checkOrganizerAction, type OrganizerTrigger } from './organizer.rules';
import { SELECT_USER_BY_CHECK_IN_CODE, SELECT_USER_BY_TICKET_CODE } from '../record/participation.query';
import type { Participation } from '../record/participation.entity';
import { Participations } from '../record/participations';

/** The organizer's actions on one participation. The calling code has locked the event. */
@Injectable()
export class OrganizerSteps {
  constructor(
    private readonly participations: Participations,
    private readonly checkIns: CheckIns,
    private readonly credits: CreditsReader,
    private readonly notifications: NotificationsCommands,
    private readonly users: UsersReader,
    private readonly clock: Clock,
  ) {}

  /** Loads the participation (status null if there is no row). Throws if the rules refuse the action. */
  async loadAllowed(tx: Transaction, trigger: OrganizerTrigger, event: Event, userId: number): Promise<Participation> {
    const participation = await this.participations.load(tx, event.id, userId);
    checkOrganizerAction(trigger, event, participation, this.clock.now());
    return participation;
  }

  async invite(tx: Transaction, event: Event, participation: Participation): Promise<void> {
    await this.participations.move(tx, 'invite', participation);
    await this.notifications.notify(tx, 'invitation', {
      eventId: event.id,
      userIds: [participation.userId],
      personId: event.organizerId,
    });
  }

  /** Approves a request, or gives a seat to a person on the waitlist. */
  async promote(tx: Transaction, event: Event, participation: Participation): Promise<void> {
    const kind = participation.status === 'requested' ? 'approval' : 'promotion';
    await this.participations.move(tx, 'promote', participation);
    await this.notifyOf(tx, kind, event, participation.userId);
  }

  async remove(tx: Transaction, trigger: 'remove' | 'ban', event: Event, participation: Participation): Promise<void> {
    const { status, userId } = participation;
    await this.participations.move(tx, trigger, participation);
    // A person banned from an event does not see its page, so the notice does not link to the page.
    const words: Readonly<Record<string, string>> = trigger === 'ban' ? { banned: 'true' } : {};
    if (status === 'requested') await this.notifyOf(tx, 'decline', event, userId, words);
    if (status === 'confirmed' || status === 'waitlisted') await this.notifyOf(tx, 'removal', event, userId, words);
  }

  /**
   * Checks the participant in. If credits of the participant are held, they are paid to the organizer. A participant
   * who is already checked in keeps the time of the first check-in. An undo that is already stored does not cancel this
   * check-in, even if a device has sent the undo with a later time.
   */
  async checkIn(tx: Transaction, event: Event, participation: Participation): Promise<void> {
    await this.checkIns.storeMarkNow(tx, event, participation, 'check_in');
  }

  /** Undoes the check-in. Throws 409 `conflict` if the participant's credits were already paid to the organizer. */
  async undoCheckIn(tx: Transaction, event: Event, participation: Participation): Promise<void> {
    const { checkedInAt, creditHoldId } = participation;
    if (checkedInAt !== null && creditHoldId !== null && (await this.credits.isReleased(tx, creditHoldId)))
      throw new Refusal('conflict');
    await this.checkIns.storeMarkNow(tx, event, participation, 'undo_check_in');
  }

  /**
   * The user id of the participant with this check-in code or ticket code. Throws 404 for an unknown code, and 409 for
   * a ticket code with which nobody takes part.
   */
  async holderOf(tx: Transaction, event: Event, typed: string): Promise<number> {
    const code = readCode(typed);
    if (code === null) throw new Refusal('not_found');
    const key = [event.id, code];
    const [holder] = await tx.rows<{ user_id: string }>(SELECT_USER_BY_CHECK_IN_CODE, key);
    if (holder) return Number(holder.user_id);
    const [ticket] = await tx.rows<{ user_id: string | null }>(SELECT_USER_BY_TICKET_CODE, key);
    if (!ticket) throw new Refusal('not_found');
    if (ticket.user_id === null) throw new Refusal(event.isCancelled ? 'conflict' : 'not_participant');
    return Number(ticket.user_id);
  }

  /** A person who blocks the organizer is not notified of the organizer's decisions about this person (NOTE-21). */
  private async notifyOf(
    tx: Transaction,
    kind: 'approval' | 'promotion' | 'decline' | 'removal',
    event: Event,
    userId: number,
    words: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    if (await this.users.hasBlocked(tx, userId, event.organizerId)) return;
    await this.notifications.notify(tx, kind, { eventId: event.id, userIds: [userId], words });
  }
}
