import { Injectable } from '@nestjs/common';
import type { Transaction } from '#platform/database/database';
import { Refusal } from '#platform/http/refusal';
import { Clock } from '#platform/time/clock';
import { CreditsCommands } from '../../credits/credits.commands';
import { CreditsReader } from '../../credits/credits.reader';
import type { Event } from '../../events/event.entity';
import { NotificationsCommands } from '../../notifications/notifications.commands';
import { readCode } from '../record/codes';
import { refuseOrganizer, type OrganizerTrigger } from './organizer.rules';
import { BY_CHECK_IN_CODE, BY_TICKET_CODE, CHECK_IN } from '../record/participation.query';
import { Participations, type Participation } from '../record/participations';

/** What organizers do with one participation of an event they have locked. */
@Injectable()
export class OrganizerSteps {
  constructor(
    private readonly participations: Participations,
    private readonly credits: CreditsCommands,
    private readonly payments: CreditsReader,
    private readonly notifications: NotificationsCommands,
    private readonly clock: Clock,
  ) {}

  /** The participation, unless the rules refuse. */
  async admit(tx: Transaction, trigger: OrganizerTrigger, event: Event, userId: number): Promise<Participation> {
    const participation = await this.participations.of(tx, event.id, userId);
    refuseOrganizer(trigger, event, participation, this.clock.now());
    return participation;
  }

  async invite(tx: Transaction, event: Event, participation: Participation): Promise<void> {
    await this.participations.apply(tx, 'invite', participation);
    await this.notifications.tell(tx, 'invitation', { eventId: event.id, userIds: [participation.userId], personId: event.organizerId });
  }

  async promote(tx: Transaction, event: Event, participation: Participation): Promise<void> {
    await this.participations.apply(tx, 'promote', participation);
    const kind = participation.state === 'requested' ? 'approval' : 'promotion';
    await this.notifications.tell(tx, kind, { eventId: event.id, userIds: [participation.userId] });
  }

  async remove(tx: Transaction, trigger: 'remove' | 'ban', event: Event, participation: Participation): Promise<void> {
    await this.participations.apply(tx, trigger, participation);
    const notice = { eventId: event.id, userIds: [participation.userId] };
    if (participation.state === 'requested') await this.notifications.tell(tx, 'decline', notice);
    if (participation.state === 'confirmed' || participation.state === 'waitlisted') await this.notifications.tell(tx, 'removal', notice);
  }

  /** Held credits go to the organizer. */
  async checkIn(tx: Transaction, event: Event, { userId, creditHoldId }: Participation): Promise<void> {
    await tx.rows(CHECK_IN, [event.id, userId, this.clock.now()]);
    if (creditHoldId !== null) await this.credits.release(tx, creditHoldId, event.organizerId);
  }

  async undoCheckIn(tx: Transaction, { eventId, userId, checkedInAt, creditHoldId }: Participation): Promise<void> {
    if (checkedInAt === null) return;
    if (creditHoldId !== null && (await this.payments.isReleased(tx, creditHoldId))) throw new Refusal('conflict');
    await tx.rows(CHECK_IN, [eventId, userId, null]);
  }

  /** Whose code it is: 404 for nobody's, 409 for a ticket nobody takes part with. */
  async holderOf(tx: Transaction, event: Event, typed: string): Promise<number> {
    const code = readCode(typed);
    if (code === null) throw new Refusal('not_found');
    const key = [event.id, code];
    const [holder] = await tx.rows<{ user_id: string }>(BY_CHECK_IN_CODE, key);
    if (holder) return Number(holder.user_id);
    const [ticket] = await tx.rows<{ user_id: string | null }>(BY_TICKET_CODE, key);
    if (!ticket) throw new Refusal('not_found');
    if (ticket.user_id === null) throw new Refusal(event.isCancelled ? 'conflict' : 'not_participant');
    return Number(ticket.user_id);
  }
}
