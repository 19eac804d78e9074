import { Injectable } from '@nestjs/common';
import type { ParticipationState } from '#contract/vocabulary';
import { statement, type Transaction } from '#platform/database/database';
import { Clock } from '#platform/time/clock';
import { CreditsCommands } from '../credits/credits.commands';
import { VIEWER_STATES_SQL } from '../events/event-relation';
import { changeSeatCounts } from '../events/event-seats';
import { blocksSql } from '../identity/account-conditions.sql';
import { NotificationsCommands } from '../notifications/notifications.commands';
import { newCheckInCode } from './codes';
import { WaitlistSeats } from './waitlist/waitlist-seats';

/** A person may already have a row, because the event's group has just invited this person. This row is overwritten. */
const SET_PARTICIPATION = statement(
  'participation_set',
  `INSERT INTO participations
     (event_id, user_id, status, invited_at, requested_at, joined_at, checked_in_at, check_in_code, credit_hold_id, created_at, updated_at, related_since)
   VALUES ($1, $2, $3,
     CASE WHEN $3 = 'pending' THEN $5::timestamptz END,
     CASE WHEN $3 IN ('requested', 'declined') THEN $5::timestamptz END,
     CASE WHEN $3 = 'confirmed' THEN $5::timestamptz END,
     $4, $6, $7, $5, $5,
     CASE WHEN $3 IN (${VIEWER_STATES_SQL}) THEN $5::timestamptz END)
   ON CONFLICT (event_id, user_id) DO UPDATE SET
     status = excluded.status, requested_at = excluded.requested_at, joined_at = excluded.joined_at, checked_in_at = excluded.checked_in_at, checked_in_by = NULL,
     check_in_code = excluded.check_in_code, credit_hold_id = excluded.credit_hold_id, digest = NULL,
     related_since = CASE WHEN excluded.related_since IS NULL THEN NULL ELSE coalesce(participations.related_since, excluded.related_since) END`,
);

/** Invites the people $2 to event $1; $3 is now. `blocks`: whether the invited person blocks organizer $4. */
const INSERT_INVITATIONS = statement(
  'participation_insert_invitations',
  `INSERT INTO participations (event_id, user_id, status, invited_at, created_at, updated_at, related_since)
   SELECT $1, u.id, 'pending', $3, $3, $3, $3 FROM unnest($2::bigint[]) AS u (id)
   ON CONFLICT DO NOTHING
   RETURNING user_id, ${blocksSql('user_id', '$4::bigint')} AS blocks`,
);

const RELATED_TO_EVENT = statement('participation_related', 'SELECT user_id FROM participations WHERE event_id = $1');

/** One participant of an event in a file that an operator applies (`cli apply`). */
export interface AppliedParticipation {
  readonly status: ParticipationState;
  readonly checkedInAt: Date | null;
  /**
   * Credits that a confirmed participant paid for the event. They are held, or released to the organizer if the person
   * is checked in.
   */
  readonly paidCredits?: number;
}

/** Changes participations on behalf of other areas and of operators. */
@Injectable()
export class ParticipationCommands {
  constructor(
    private readonly credits: CreditsCommands,
    private readonly notifications: NotificationsCommands,
    private readonly seats: WaitlistSeats,
    private readonly clock: Clock,
  ) {}

  /**
   * Sets a user's status without checking whether the change of status is allowed; only for files of operators (`cli
   * apply`). Throws NotEnoughCredits if the user has fewer credits than `paidCredits`.
   */
  async setParticipation(
    tx: Transaction,
    eventId: number,
    userId: number,
    { status, checkedInAt, paidCredits = 0 }: AppliedParticipation,
  ): Promise<void> {
    const hold = paidCredits > 0 ? await this.credits.hold(tx, { eventId, userId, amount: paidCredits }) : null;
    const code = status === 'confirmed' ? newCheckInCode() : null;
    await tx.rows(SET_PARTICIPATION, [eventId, userId, status, checkedInAt, this.clock.now(), code, hold]);
    if (status !== 'confirmed') return;
    const event = await changeSeatCounts(tx, eventId, { confirmed: 1, offers: 0 });
    if (hold !== null && checkedInAt !== null && event) await this.credits.release(tx, hold, event.organizerId);
  }

  /**
   * Gives the free seats of the event to its waitlist, after `setParticipation` has stored participants. The calling
   * code has locked the row of the event.
   */
  async settleSeats(tx: Transaction, eventId: number): Promise<void> {
    await this.seats.settle(tx, [eventId]);
  }

  /** Ids of all people with a relation to the event: invited, requested, declined, waitlisted, confirmed or banned. */
  async relatedTo(tx: Transaction, eventId: number): Promise<ReadonlySet<number>> {
    const rows = await tx.rows<{ user_id: string }>(RELATED_TO_EVENT, [eventId]);
    return new Set(rows.map(({ user_id }) => Number(user_id)));
  }

  /**
   * For a new event of a group (GRP-19): invites the given people, except the organizer and people who already have a
   * relation to the event. Invited people who block the organizer are not notified. The limit on pending invitations
   * does not apply. Returns the number of invited people.
   */
  async inviteAll(tx: Transaction, eventId: number, organizerId: number, userIds: readonly number[]): Promise<number> {
    const others = userIds.filter((id) => id !== organizerId);
    const values = [eventId, others, this.clock.now(), organizerId];
    const invited = await tx.rows<{ user_id: string; blocks: boolean }>(INSERT_INVITATIONS, values);
    await this.notifications.notify(tx, 'invitation', {
      eventId,
      userIds: invited.filter(({ blocks }) => !blocks).map(({ user_id }) => Number(user_id)),
      personId: organizerId,
    });
    return invited.length;
  }
}
