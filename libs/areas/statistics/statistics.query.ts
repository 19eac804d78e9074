import type { ParticipationState } from '#contract/vocabulary';
import { LIMITS } from '#contract/limits';
import { statement } from '#platform/database/database';

const CHECK_IN_SPAN_SECONDS = LIMITS.statistics.check_ins.every;

/**
 * The kinds of actions that are counted per day and event. `StatisticsCommands` counts the offers. A trigger counts the
 * rest, when the status of a participation changes.
 */
export type Counted =
  | 'joined'
  | 'left'
  | 'waitlist_joined'
  | 'waitlist_promoted'
  | 'waitlist_left'
  | 'offers_made'
  | 'offers_accepted'
  | 'offers_declined'
  | 'offers_lapsed';

export const COUNT_EVENT_DAY = statement('statistics_count_event_day', 'SELECT count_event_day($1, $2, $3)');

export interface DayRow {
  /** The day in Prague, YYYY-MM-DD. */
  readonly day: string;
  readonly what: Counted;
  readonly total: number;
}

interface StatusRow {
  readonly status: ParticipationState;
  readonly total: number;
  readonly checked_in: number;
}

interface CheckInsRow {
  /** The start of the quarter of an hour, in seconds since 1970. */
  readonly at: number;
  readonly count: number;
}

/** All numbers of an event: by day, by status, and check-ins by quarters of an hour. */
export interface EventNumbers {
  readonly days: readonly DayRow[];
  readonly statuses: readonly StatusRow[];
  readonly checkIns: readonly CheckInsRow[];
}

/** The numbers of event $1. One statement reads one snapshot, so the numbers agree with each other. */
export const NUMBERS_OF_EVENT = statement(
  'statistics_of_event',
  `SELECT
     (SELECT coalesce(json_agg(json_build_object('day', d.day, 'what', d.what, 'total', d.total) ORDER BY d.day), '[]')
        FROM event_days d WHERE d.event_id = $1) AS days,
     (SELECT coalesce(json_agg(s), '[]') FROM (
        SELECT p.status, count(*) AS total, count(p.checked_in_at) AS checked_in
          FROM participations p WHERE p.event_id = $1 GROUP BY p.status) s) AS statuses,
     (SELECT coalesce(json_agg(c ORDER BY c.at), '[]') FROM (
        SELECT floor(extract(epoch FROM q.checked_in_at) / ${CHECK_IN_SPAN_SECONDS}) * ${CHECK_IN_SPAN_SECONDS} AS at, count(*) AS count
          FROM participations q WHERE q.event_id = $1 AND q.checked_in_at IS NOT NULL GROUP BY 1) c) AS "checkIns"`,
);
