import { addMinutes } from 'date-fns/addMinutes';
import { addSeconds } from 'date-fns/addSeconds';
import { LIMITS } from '#contract/limits';
import type { Frequency } from '#contract/vocabulary';
import { isWithinYears } from '#platform/time/years';
import {
  fromPragueWallClock,
  pragueDay,
  pragueWallClock,
  type CalendarDay,
  type WallClock,
} from '#platform/time/prague';

/**
 * The recurrence of a series (SER-2, SER-3). At most one of `until` and `occurrencesLimit` is set; if neither is set,
 * the series never ends.
 */
export interface RecurrenceRule {
  /** Start of the first occurrence. */
  readonly startsAt: Date;
  readonly frequency: Frequency;
  /** Number of days, weeks or months between occurrences. */
  readonly interval: number;
  /** The last Prague day on which an occurrence may start. */
  readonly until: CalendarDay | null;
  readonly occurrencesLimit: number | null;
}

/**
 * The start of the occurrence with this index, counted from 0. Null if the rule has no such occurrence, or if the start
 * is after the supported years.
 *
 * Every occurrence has the Prague wall-clock time of the first occurrence (SER-4). If the clock change in spring skips
 * this time, the occurrence of that day starts one hour later. If the time occurs twice in autumn, the occurrence
 * starts at the first of the two instants. Each start is computed from the first start, not from the previous one, so a
 * short month does not change the day in later months.
 */
export function occurrenceStart(rule: RecurrenceRule, index: number): Date | null {
  if (rule.occurrencesLimit !== null && index >= rule.occurrencesLimit) return null;
  // The first start is the instant that the organizer has sent, even if it is the second instant of a time that occurs
  // twice.
  const start =
    index === 0
      ? rule.startsAt
      : fromPragueWallClock(STEP[rule.frequency](pragueWallClock(rule.startsAt), index * rule.interval));
  if (!isWithinYears(start)) return null;
  return rule.until !== null && pragueDay(start) > rule.until ? null : start;
}

/** The end of an occurrence with this start; null without a duration. */
export function occurrenceEnd(start: Date, durationMinutes: number | null): Date | null {
  return durationMinutes === null ? null : addMinutes(start, durationMinutes);
}

/** The service creates the occurrences that start at or before this time, and always the first occurrence (SER-6). */
export function generationHorizon(now: Date): Date {
  return addSeconds(now, LIMITS.series.generated_ahead);
}

/**
 * Adds days, weeks or months to a wall-clock time. The day may be beyond the end of the month, and the month beyond
 * December; `fromPragueWallClock` carries them over to the next months and years.
 */
const STEP: Record<Frequency, (first: WallClock, count: number) => WallClock> = {
  daily: (first, count) => ({ ...first, day: first.day + count }),
  weekly: (first, count) => ({ ...first, day: first.day + 7 * count }),
  monthly: (first, count) => {
    const month = first.month + count;
    return { ...first, month, day: Math.min(first.day, lastDayOf(first.year, month)) };
  },
};

/** `month` counts from 1 and may be greater than 12. */
function lastDayOf(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}
