import { Injectable } from '@nestjs/common';
import { statement, type Statement, type Transaction } from '#platform/database/database';
import type { Reaction } from '#platform/signals/signals';
import { CreditsCommands } from '../credits/credits.commands';
import { resetOffersCount } from '../events/event-seats';
import type { CancellationKind, EventsCancelled } from '../events/event.signal';
import { NotificationsCommands, type NoticeKind } from '../notifications/notifications.commands';
import { WITHDRAW_OFFERS } from './waitlist/waitlist.query';
import { IS_CONCERNED } from './record/participation.query';

/**
 * The people to be notified. For a series, there is one row for each person, with the person's earliest cancelled
 * event.
 */
const SELECT_PARTICIPANTS: Record<CancellationKind, Statement> = {
  event: statement(
    'participation_of_cancelled',
    `SELECT p.event_id, p.user_id FROM participations p WHERE p.event_id = ANY($1::bigint[]) AND ${IS_CONCERNED} ORDER BY p.event_id, p.user_id`,
  ),
  series: statement(
    'participation_of_cancelled_series',
    `SELECT DISTINCT ON (p.user_id) p.event_id, p.user_id FROM participations p JOIN events e ON e.id = p.event_id
      WHERE p.event_id = ANY($1::bigint[]) AND ${IS_CONCERNED} ORDER BY p.user_id, e.starts_at, e.id`,
  ),
};

const NOTICE = { event: 'event_cancelled', series: 'series_cancelled' } as const satisfies Record<
  CancellationKind,
  NoticeKind
>;

/**
 * Refunds credits, ends offers and notifies the people concerned (`IS_CONCERNED`) when events are cancelled (EVT-20,
 * JOIN-46), in the transaction that cancels the events. The number of statements is independent of the number of events
 * and participants.
 */
@Injectable()
export class SettleCancelledEvents implements Reaction<EventsCancelled> {
  constructor(
    private readonly credits: CreditsCommands,
    private readonly notifications: NotificationsCommands,
  ) {}

  async react(tx: Transaction, { eventIds, kind }: EventsCancelled): Promise<void> {
    await tx.rows(WITHDRAW_OFFERS, [eventIds]);
    await resetOffersCount(tx, eventIds);
    const refunds = await this.credits.refundEvents(tx, eventIds);
    const recipients = await tx.rows<{ event_id: string; user_id: string }>(SELECT_PARTICIPANTS[kind], [eventIds]);
    const notices = recipients.map(({ event_id, user_id }) => ({ eventId: Number(event_id), userId: Number(user_id) }));
    const refunded = new Map<string, number>();
    // For a series, each person gets one notice, which contains the sum of the person's refunds for all cancelled
    // events.
    const key = ({ eventId, userId }: { eventId: number; userId: number }): string =>
      kind === 'series' ? `${userId}` : `${userId} ${eventId}`;
    for (const refund of refunds) refunded.set(key(refund), (refunded.get(key(refund)) ?? 0) + refund.amount);
    await this.notifications.notifyEach(
      tx,
      NOTICE[kind],
      notices.map((notice) => ({ ...notice, refundedCredits: refunded.get(key(notice)) ?? 0 })),
    );
  }
}
