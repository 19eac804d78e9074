import type { Frequency } from '#contract/vocabulary';
import { statement } from '#platform/database/database';
import { isUpcomingOccurrenceSql } from '../events/event-scopes.sql';
import type { EventTemplate } from '../events/event-template.resource';
import { isBannedSql } from '../identity/account-conditions.sql';

/** A series, and the state of its occurrences at the current time ($2 in the statements that contain `SERIES`). */
export interface SeriesRow {
  readonly id: string;
  readonly starts_at: Date;
  readonly frequency: Frequency;
  readonly interval: number;
  readonly until: string | null;
  readonly occurrences_limit: number | null;
  readonly duration_minutes: number | null;
  readonly template: EventTemplate;
  readonly active: boolean;
  readonly cancelled_at: Date | null;
  readonly version: string;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly occurrences_count: number;
  readonly next_occurrence_at: Date | null;
}

const UPCOMING = `e.series_id = s.id AND ${isUpcomingOccurrenceSql('$2')}`;

const SERIES = `
  SELECT s.id, s.starts_at, s.frequency, s.interval, s.until::text, s.occurrences_limit, s.duration_minutes, s.template,
         s.next_start IS NOT NULL AS active, s.cancelled_at, s.version, s.created_at, s.updated_at,
         (SELECT count(*)::int FROM events e WHERE e.series_id = s.id) AS occurrences_count,
         (SELECT e.starts_at FROM events e WHERE ${UPCOMING} ORDER BY e.starts_at LIMIT 1) AS next_occurrence_at
    FROM series s`;

export const SERIES_BY_ID = statement('series_by_id', `${SERIES} WHERE s.id = $1`);

/** Like SERIES_BY_ID, for the series with the ids $1. */
export const SERIES_BY_IDS = statement('series_by_ids', `${SERIES} WHERE s.id = ANY($1)`);

/** The series of organizer $1, newest first. $3 limit, $4 offset. */
export const SERIES_OF_ORGANIZER = statement(
  'series_of',
  `${SERIES} WHERE s.organizer_id = $1 ORDER BY s.id DESC LIMIT $3 OFFSET $4`,
);
/** The condition on $2 is always true. It exists because the list and its total get the same parameters. */
export const COUNT_SERIES_OF_ORGANIZER = statement(
  'series_of_total',
  'SELECT count(*)::int AS total FROM series WHERE organizer_id = $1 AND $2::timestamptz IS NOT NULL',
);

/** A public series whose organizer is not banned. */
export const PUBLIC_SERIES = statement(
  'series_public',
  `SELECT s.template->>'title' AS title, s.next_start IS NOT NULL AS active FROM series s JOIN users o ON o.id = s.organizer_id
    WHERE s.id = $1 AND (s.template->>'is_public')::boolean AND NOT ${isBannedSql('o')}`,
);

/**
 * The number of live series of organizer $1 (SER-11). A series is live if more occurrences will be created, or if it is
 * not cancelled and an occurrence is upcoming at $2.
 */
export const COUNT_LIVE_SERIES = statement(
  'series_count_live',
  `SELECT count(*)::int AS total FROM series s
    WHERE s.organizer_id = $1
      AND (s.next_start IS NOT NULL OR s.cancelled_at IS NULL AND EXISTS (SELECT FROM events e WHERE ${UPCOMING}))`,
);

/** Returns a row if an occurrence that starts at or before $1 is to be created. */
export const ANY_SERIES_DUE = statement('series_any_due', 'SELECT 1 AS due FROM series WHERE next_start <= $1 LIMIT 1');

export const STORE_SERIES_PROGRESS = statement(
  'series_store_progress',
  `UPDATE series s SET generated = n.generated, next_start = n.next_start
     FROM unnest($1::bigint[], $2::integer[], $3::timestamptz[]) AS n (id, generated, next_start)
    WHERE s.id = n.id`,
);
