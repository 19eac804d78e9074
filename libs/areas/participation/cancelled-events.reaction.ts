import { Injectable } from '@nestjs/common';
import { statement, type Transaction } from '#platform/database/database';
import type { Reaction } from '#platform/signals/signals';
import { CreditsCommands } from '../credits/credits.commands';
import { EventsCancelled } from '../events/event.signal';
import { NotificationsCommands } from '../notifications/notifications.commands';

const CONCERNED = `p.status IN ('confirmed', 'pending', 'waitlisted', 'requested')`;

const PARTICIPANTS = statement(
  'participation_of_cancelled',
  `SELECT p.event_id, p.user_id FROM participations p WHERE p.event_id = ANY($1::bigint[]) AND ${CONCERNED} ORDER BY p.event_id, p.user_id`,
);

/** Everybody once, with their first event. */
const PARTICIPANTS_OF_SERIES = statement(
  'participation_of_cancelled_series',
  `SELECT DISTINCT ON (p.user_id) p.event_id, p.user_id FROM participations p JOIN events e ON e.id = p.event_id
    WHERE p.event_id = ANY($1::bigint[]) AND ${CONCERNED} ORDER BY p.user_id, e.starts_at, e.id`,
);

/**
 * Refunds and notices of cancelled events (api-spec, "Event status", "Series"), in the transaction that cancels them. A handful
 * of statements, however many events and participants there are. Several events at once are a series: one notice a person.
 */
@Injectable()
export class SettleCancelledEvents implements Reaction<EventsCancelled> {
  constructor(
    private readonly credits: CreditsCommands,
    private readonly notifications: NotificationsCommands,
  ) {}

  async react(tx: Transaction, { eventIds }: EventsCancelled): Promise<void> {
    await this.credits.refundEvents(tx, eventIds);
    const isSeries = eventIds.length > 1;
    const concerned = await tx.rows<{ event_id: string; user_id: string }>(isSeries ? PARTICIPANTS_OF_SERIES : PARTICIPANTS, [eventIds]);
    const pairs = concerned.map(({ event_id, user_id }) => ({ eventId: Number(event_id), userId: Number(user_id) }));
    await this.notifications.tellPairs(tx, isSeries ? 'series_cancelled' : 'event_cancelled', pairs);
  }
}
