import type { ParticipationState } from '#contract/vocabulary';
import { LIMITS } from '#contract/limits';
import { statement } from '#platform/database/database';

const CHECK_IN_SPAN_SECONDS = LIMITS.statistics.check_ins.every;

/**
 * Numbers that are stored by day. A trigger counts the changes of the statuses of participations. `StatisticsCommands`
 * and SQL functions count offers.
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

export const COUNT_EVENT_DAY = statement('statistics_count', 'SELECT count_event_day($1, $2, $3)');

export interface DayRow {
  /** YYYY-MM-DD, in Prague. */
  readonly day: string;
  readonly what: Counted;
  readonly total: number;
}

/** All numbers of event $1, by day. */
export const DAYS_OF_EVENT = statement(
  'statistics_days',
  'SELECT day::text, what, total FROM event_days WHERE event_id = $1 ORDER BY day',
);

export interface StatusRow {
  readonly status: ParticipationState;
  readonly total: number;
  readonly checked_in: number;
}

/** The people of event $1 by status. */
export const STATUSES_OF_EVENT = statement(
  'statistics_statuses',
  'SELECT status, count(*)::int AS total, count(checked_in_at)::int AS checked_in FROM participations WHERE event_id = $1 GROUP BY status',
);

export interface CheckInsRow {
  readonly at: Date;
  readonly count: number;
}

/** The check-ins of event $1 by quarters of an hour. */
export const CHECK_INS_OF_EVENT = statement(
  'statistics_check_ins',
  `SELECT to_timestamp(floor(extract(epoch FROM checked_in_at) / ${CHECK_IN_SPAN_SECONDS}) * ${CHECK_IN_SPAN_SECONDS}) AS at, count(*)::int AS count
     FROM participations WHERE event_id = $1 AND checked_in_at IS NOT NULL GROUP BY 1 ORDER BY 1`,
);
