import { LIMITS } from '#contract/limits';
import { Violations } from '#platform/http/violations';
import { pragueDay } from '#platform/time/prague';
import { isWithinYears } from '#platform/time/years';
import { overAt } from '../events/over-at';
import { occurrenceEnd, occurrenceStart, type RecurrenceRule } from './recurrence';
import type { CreateSeriesDto } from './series.dto';

/**
 * Checks the rules that involve several fields (SER-2, SER-3), and that a new series does not start in the past.
 */
export function seriesViolations(fields: CreateSeriesDto, now: Date): Violations {
  const { starts_at: start, until, occurrences_limit: limit } = fields;
  const violations = new Violations();
  if (start < now) violations.add('starts_at', 'not_in_the_past');
  if (until && until <= pragueDay(start)) violations.add('until', 'after', { field: 'starts_at' });
  if (until && limit) violations.add('occurrences_limit', 'not_together', { field: 'until' });
  addYearViolations(fields, violations);
  return violations;
}

/** The recurrence rule of the body. */
export function ruleOf({ starts_at, frequency, interval, until, occurrences_limit }: CreateSeriesDto): RecurrenceRule {
  return {
    startsAt: starts_at,
    frequency,
    interval: interval ?? LIMITS.series.interval.default,
    until: until ?? null,
    occurrencesLimit: occurrences_limit ?? null,
  };
}

/**
 * The last occurrence and its end must be within the supported years (WIRE-10). Without `occurrences_limit`, or with
 * `until`, the last occurrence is not computed, and only the end of the first occurrence is checked.
 */
function addYearViolations(fields: CreateSeriesDto, violations: Violations): void {
  const last =
    fields.occurrences_limit && !fields.until
      ? occurrenceStart(ruleOf(fields), fields.occurrences_limit - 1)
      : fields.starts_at;
  if (last === null) violations.add('occurrences_limit', 'years', LIMITS.years);
  const start = last ?? fields.starts_at;
  const end = occurrenceEnd(start, fields.duration_minutes ?? null);
  if (isWithinYears(overAt(start, end))) return;
  const isFirstWithinYears = isWithinYears(overAt(fields.starts_at, null));
  const field = end !== null ? 'duration_minutes' : isFirstWithinYears ? 'occurrences_limit' : 'starts_at';
  violations.add(field, 'years', LIMITS.years);
}
