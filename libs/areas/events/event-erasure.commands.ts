import { statement, type Transaction } from '#platform/database/database';
import type { Signals } from '#platform/signals/signals';
import { PSEUDONYMS_SQL, type Pseudonyms } from '../identity/pseudonyms.commands';
import { isOpenSql } from './event-relation';
import { EventDeleted, EventsCancelled } from './event.signal';

const EVENTS_ORGANIZED_BY = statement('events_organized_by', 'SELECT id FROM all_events WHERE organizer_id = $1');
const EVENTS_OF_GROUPS = statement('events_of_groups', 'SELECT id FROM all_events WHERE group_id = ANY($1::bigint[])');
const LOCK_ALL_EVENTS = statement(
  'events_lock_all',
  'SELECT id FROM all_events WHERE id = ANY($1::bigint[]) ORDER BY id FOR UPDATE',
);
const OWN_EVENTS = statement(
  'events_own_to_erase',
  `SELECT id, series_id, confirmed_count > 0 AS has_participants, ${isOpenSql('$2')} AS is_upcoming FROM all_events e WHERE organizer_id = $1 ORDER BY id`,
);
const CANCEL_ALL = statement(
  'events_cancel_all',
  `UPDATE all_events SET status = 'cancelled', updated_at = $2 WHERE id = ANY($1::bigint[]) AND status = 'active' RETURNING id`,
);
const IMAGES_OF = statement('events_image_keys_of', 'SELECT key FROM event_images WHERE event_id = ANY($1::bigint[])');
const DELETE_EVENTS = statement('events_delete_all', 'DELETE FROM all_events WHERE id = ANY($1::bigint[])');
const SUBTRACT_SEATS = statement(
  'events_subtract_seats',
  `UPDATE all_events SET confirmed_count = confirmed_count - (id = ANY($1::bigint[]))::integer, offers_count = offers_count - (id = ANY($2::bigint[]))::integer
    WHERE id = ANY($1::bigint[] || $2::bigint[])`,
);
const RELEASE_FROM_GROUPS = statement(
  'events_release_from_groups',
  'UPDATE all_events SET group_id = NULL, updated_at = $2 WHERE group_id = ANY($1::bigint[])',
);
const HIDE_OCCURRENCES = statement(
  'events_hide_occurrences',
  'UPDATE all_events SET removed_at = $2 WHERE series_id = $1 AND removed_at IS NULL RETURNING id',
);
const DELETE_IMAGES = statement(
  'events_delete_images',
  'DELETE FROM event_images WHERE event_id = ANY($1::bigint[]) RETURNING key',
);

/**
 * Gives the events of user $1 to pseudonyms. The events become private. So only people who already have a relation to
 * an event (`VIEWER_STATES`) still see the event and get notices about it.
 */
const HAND_OVER_EVENTS = statement(
  'events_hand_over',
  `UPDATE all_events e SET organizer_id = pseudonym.user_id, group_id = NULL, series_id = NULL, series_index = NULL, apply_key = NULL, is_public = false, boosted_until = NULL,
          join_mode = CASE WHEN join_mode = 'password' THEN 'request' ELSE join_mode END, join_password_sealed = NULL, images = '[]'
     FROM ${PSEUDONYMS_SQL} WHERE e.organizer_id = $1 AND e.id = pseudonym.scope_id`,
);

/** An event of an account that is being deleted. */
export interface OwnEvent {
  readonly id: number;
  readonly seriesId: number | null;
  readonly hasParticipants: boolean;
  /** Whether the event is active and not over. */
  readonly isUpcoming: boolean;
}

const ids = (rows: readonly { readonly id: string }[]): number[] => rows.map(({ id }) => Number(id));

/**
 * The ids of the events that the person organizes. Like all functions of this file, this function includes events that
 * a moderator has removed.
 */
export async function eventsOrganizedBy(tx: Transaction, userId: number): Promise<number[]> {
  return ids(await tx.rows<{ id: string }>(EVENTS_ORGANIZED_BY, [userId]));
}

export async function eventsOfGroups(tx: Transaction, groupIds: readonly number[]): Promise<number[]> {
  return ids(await tx.rows<{ id: string }>(EVENTS_OF_GROUPS, [groupIds]));
}

/**
 * Locks the events with strength `rewrite` (event-locks.ts) in the order of their ids. Returns the ids of the events
 * that exist.
 */
export async function lockAllEvents(tx: Transaction, eventIds: readonly number[]): Promise<number[]> {
  return ids(await tx.rows<{ id: string }>(LOCK_ALL_EVENTS, [eventIds]));
}

export async function ownEvents(tx: Transaction, userId: number, now: Date): Promise<OwnEvent[]> {
  const rows = await tx.rows<{ id: string; series_id: string | null; has_participants: boolean; is_upcoming: boolean }>(
    OWN_EVENTS,
    [userId, now],
  );
  return rows.map((row) => ({
    id: Number(row.id),
    seriesId: row.series_id === null ? null : Number(row.series_id),
    hasParticipants: row.has_participants,
    isUpcoming: row.is_upcoming,
  }));
}

/**
 * Cancels the active events among `events`, and raises `EventsCancelled`, which leads to refunds and notices. For
 * several events of one series, each person gets one notice (DATA-13).
 */
export async function cancelEvents(
  tx: Transaction,
  signals: Signals,
  events: readonly OwnEvent[],
  now: Date,
): Promise<void> {
  for (const seriesId of new Set(events.map((event) => event.seriesId))) {
    const eventIds = events.filter((event) => event.seriesId === seriesId).map(({ id }) => id);
    const cancelled = ids(await tx.rows<{ id: string }>(CANCEL_ALL, [eventIds, now]));
    if (cancelled.length > 0)
      await signals.raise(tx, new EventsCancelled(cancelled, seriesId === null ? 'event' : 'series'));
  }
}

/** Deletes the events and their contents, and notifies the people concerned. Returns the keys of the event pictures. */
export async function deleteEvents(tx: Transaction, signals: Signals, eventIds: readonly number[]): Promise<string[]> {
  for (const eventId of eventIds) await signals.raise(tx, new EventDeleted(eventId));
  const images = await tx.rows<{ key: string }>(IMAGES_OF, [eventIds]);
  await tx.rows(DELETE_EVENTS, [eventIds]);
  return images.map(({ key }) => key);
}

/**
 * Frees the seat of one confirmed participant in each event of `confirmed`, and one seat held by an offer in each event
 * of `offers`.
 */
export async function subtractSeats(
  tx: Transaction,
  { confirmed, offers }: { readonly confirmed: readonly number[]; readonly offers: readonly number[] },
): Promise<void> {
  await tx.rows(SUBTRACT_SEATS, [confirmed, offers]);
}

/**
 * Marks each occurrence of a removed series as removed, so that the occurrence stays hidden after the series is
 * deleted. Returns the ids of the occurrences that were not marked before.
 */
export async function hideOccurrences(tx: Transaction, seriesId: number, removedAt: Date): Promise<number[]> {
  return ids(await tx.rows<{ id: string }>(HIDE_OCCURRENCES, [seriesId, removedAt]));
}

/**
 * Removes these groups from their events, before the calling code deletes the groups. The events remain.
 */
export async function releaseFromGroups(tx: Transaction, groupIds: readonly number[], now: Date): Promise<void> {
  await tx.rows(RELEASE_FROM_GROUPS, [groupIds, now]);
}

/**
 * Gives the remaining events of an account that is being deleted to the pseudonyms of the account. The participants
 * still see the events, but without pictures: the pictures of the events `eventIds` are deleted. Returns the keys of
 * these pictures.
 */
export async function handOverEvents(
  tx: Transaction,
  userId: number,
  pseudonyms: Pseudonyms,
  eventIds: readonly number[],
): Promise<string[]> {
  await tx.rows(HAND_OVER_EVENTS, [userId, ...pseudonyms.in('event')]);
  return (await tx.rows<{ key: string }>(DELETE_IMAGES, [eventIds])).map(({ key }) => key);
}
