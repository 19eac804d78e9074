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

/** How a series repeats (SER-2, SER-3). At most one of `until` and `occurrencesLimit` is set; with neither it never ends. */
export interface RecurrenceRule {
  /** Start of the first occurrence. */
  readonly startsAt: Date;
  readonly frequency: Frequency;
  /** Every so many days, weeks or months. */
  readonly interval: number;
  /** The last Prague day on which an occurrence may start. */
  readonly until: CalendarDay | null;
  readonly occurrencesLimit: number | null;
}

/**
 * When the occurrence with this index, counted from 0, starts; null when the rule, or the years that can be told, have ended before.
 *
 * Every one has the Prague wall-clock time of the first (SER-4): in the spring gap it moves forward,
 * in the autumn the first of two equal times is meant. Each is counted from the first one, never from the one before,
 * so a month too short for the day does not shorten the months after it.
 */
export function occurrenceStart(rule: RecurrenceRule, index: number): Date | null {
  if (rule.occurrencesLimit !== null && index >= rule.occurrencesLimit) return null;
  // The first is what the organizer said, also when it is the second of two equal times.
  const start =
    index === 0
      ? rule.startsAt
      : fromPragueWallClock(STEP[rule.frequency](pragueWallClock(rule.startsAt), index * rule.interval));
  if (!isWithinYears(start)) return null;
  return rule.until !== null && pragueDay(start) > rule.until ? null : start;
}

/** When an occurrence that starts then ends; null when it does not say how long it lasts. */
export function occurrenceEnd(start: Date, durationMinutes: number | null): Date | null {
  return durationMinutes === null ? null : addMinutes(start, durationMinutes);
}

/** Occurrences that start by then exist (SER-6). */
export function generationHorizon(now: Date): Date {
  return addSeconds(now, LIMITS.series.generated_ahead);
}

/** A wall clock so many days, weeks or months later. Days beyond a month's end roll over, as `fromPragueWallClock` reads them. */
const STEP: Record<Frequency, (first: WallClock, count: number) => WallClock> = {
  daily: (first, count) => ({ ...first, day: first.day + count }),
  weekly: (first, count) => ({ ...first, day: first.day + 7 * count }),
  monthly: (first, count) => {
    const month = first.month + count;
    return { ...first, month, day: Math.min(first.day, lastDayOf(first.year, month)) };
  },
};

/** `month` counts from 1 and may lie beyond the year's end. */
function lastDayOf(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}
