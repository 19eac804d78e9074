import { Violations } from '#platform/http/input';
import { pragueDay } from '#platform/time/prague';
import type { CreateSeriesDto } from './series.dto';

/** What no single field of a new series can know (SER-3). */
export function seriesViolations({ starts_at: start, until, occurrences_limit: limit }: CreateSeriesDto, now: Date): Violations {
  const violations = new Violations();
  if (start < now) violations.add('starts_at', 'not_in_the_past');
  if (until && until <= pragueDay(start)) violations.add('until', 'after', { field: 'starts_at' });
  if (until && limit) violations.add('occurrences_limit', 'not_together', { field: 'until' });
  return violations;
}
