import fc from 'fast-check';
import { RRuleTemporal } from 'rrule-temporal';
import { LIMITS } from '#contract/limits';
import { FREQUENCIES } from '#contract/vocabulary';
import { addDays, pragueDay, pragueWallClock } from '#platform/time/prague';
import { toWire } from '#platform/time/wire-time';
import { repetitions } from '#testing/repetitions';
import { occurrenceStart, type RecurrenceRule } from './recurrence';

const rule = (startsAt: string, more: Partial<RecurrenceRule> = {}): RecurrenceRule => ({
  startsAt: new Date(startsAt),
  frequency: 'weekly',
  interval: 1,
  until: null,
  occurrencesLimit: null,
  ...more,
});

/**
 * Returns the start times of `count` occurrences in the API's format, beginning with the occurrence at index `from`.
 * Returns fewer if the rule ends earlier.
 */
function startsOf(recurrence: RecurrenceRule, count: number, from = 0): string[] {
  return Array.from({ length: count }, (_, i) => occurrenceStart(recurrence, from + i))
    .filter((start) => start !== null)
    .map((start) => toWire(start));
}

describe('the starts of a series', () => {
  it('repeat after the interval in days, weeks or months', () => {
    expect(startsOf(rule('2026-06-01T16:00:00Z', { frequency: 'daily', interval: 3 }), 3)).toEqual([
      '2026-06-01T16:00:00Z',
      '2026-06-04T16:00:00Z',
      '2026-06-07T16:00:00Z',
    ]);
    expect(startsOf(rule('2026-06-01T16:00:00Z', { interval: 2 }), 3)).toEqual([
      '2026-06-01T16:00:00Z',
      '2026-06-15T16:00:00Z',
      '2026-06-29T16:00:00Z',
    ]);
    expect(startsOf(rule('2026-06-15T16:00:00Z', { frequency: 'monthly', interval: 2 }), 3)).toEqual([
      '2026-06-15T16:00:00Z',
      '2026-08-15T16:00:00Z',
      '2026-10-15T16:00:00Z',
    ]);
  });

  // SER-4
  it('keep the wall-clock time in Prague across both clock changes', () => {
    expect(startsOf(rule('2026-03-22T17:30:00Z'), 3)).toEqual([
      '2026-03-22T17:30:00Z',
      '2026-03-29T16:30:00Z',
      '2026-04-05T16:30:00Z',
    ]);
    expect(startsOf(rule('2026-10-18T16:30:00Z'), 3)).toEqual([
      '2026-10-18T16:30:00Z',
      '2026-10-25T17:30:00Z',
      '2026-11-01T17:30:00Z',
    ]);
  });

  // SER-4
  it('are one hour later only on the day on which the spring clock change skips their time', () => {
    expect(startsOf(rule('2026-03-28T01:30:00Z', { frequency: 'daily' }), 3)).toEqual([
      '2026-03-28T01:30:00Z',
      '2026-03-29T01:30:00Z',
      '2026-03-30T00:30:00Z',
    ]);
  });

  // SER-4
  it('use the earlier instant if the time occurs twice in autumn, but keep the start of the series as it was sent', () => {
    expect(startsOf(rule('2026-10-24T00:30:00Z', { frequency: 'daily' }), 3)).toEqual([
      '2026-10-24T00:30:00Z',
      '2026-10-25T00:30:00Z',
      '2026-10-26T01:30:00Z',
    ]);
    expect(startsOf(rule('2026-10-25T01:30:00Z', { frequency: 'daily' }), 2)).toEqual([
      '2026-10-25T01:30:00Z',
      '2026-10-26T01:30:00Z',
    ]);
  });

  // SER-5
  it('are on the same day of each month if the frequency is `monthly`, or on the last day of a shorter month', () => {
    expect(
      startsOf(rule('2027-01-31T17:00:00Z', { frequency: 'monthly' }), 5).map((start) => start.slice(0, 10)),
    ).toEqual(['2027-01-31', '2027-02-28', '2027-03-31', '2027-04-30', '2027-05-31']);
    expect(
      startsOf(rule('2024-02-29T17:00:00Z', { frequency: 'monthly', interval: 12 }), 5).map((start) =>
        start.slice(0, 10),
      ),
    ).toEqual(['2024-02-29', '2025-02-28', '2026-02-28', '2027-02-28', '2028-02-29']);
    // The Prague day counts: 30 June 22:30 in UTC is 1 July.
    expect(startsOf(rule('2026-06-30T22:30:00Z', { frequency: 'monthly' }), 2)).toEqual([
      '2026-06-30T22:30:00Z',
      '2026-07-31T22:30:00Z',
    ]);
  });

  // SER-3
  it('can be on the Prague day `until`, but not on a later day', () => {
    const late = rule('2026-06-01T21:30:00Z', { frequency: 'daily', until: '2026-06-03' });
    expect(startsOf(late, 9)).toEqual(['2026-06-01T21:30:00Z', '2026-06-02T21:30:00Z', '2026-06-03T21:30:00Z']);
    const early = rule('2026-06-01T22:30:00Z', { frequency: 'daily', until: '2026-06-03' });
    expect(startsOf(early, 9)).toEqual(['2026-06-01T22:30:00Z', '2026-06-02T22:30:00Z']);
    expect(occurrenceStart({ ...early, until: '2026-06-04' }, 2)).toEqual(new Date('2026-06-03T22:30:00Z'));
  });

  // SER-3
  it('end after `occurrencesLimit` occurrences', () => {
    expect(startsOf(rule('2026-06-01T16:00:00Z', { occurrencesLimit: 2 }), 9)).toHaveLength(2);
  });
});

/**
 * The first `count` starts by an independent implementation of RFC 5545. For days that a month does not have, it uses
 * `SKIP=BACKWARD` of RFC 7529. The library omits local times that do not exist. Therefore this function passes the
 * wall-clock time to the library as UTC, and `pragueInstant` converts the results.
 */
function referenceStarts(recurrence: RecurrenceRule, count: number): string[] {
  const { year, month, day, hour, minute, second } = pragueWallClock(recurrence.startsAt);
  const pad = (value: number): string => String(value).padStart(2, '0');
  const dtstart = `${year}${pad(month)}${pad(day)}T${pad(hour)}${pad(minute)}${pad(second)}Z`;
  const parts = [`FREQ=${recurrence.frequency.toUpperCase()}`, `INTERVAL=${recurrence.interval}`];
  if (recurrence.frequency === 'monthly') parts.unshift('RSCALE=GREGORIAN', 'SKIP=BACKWARD');
  if (recurrence.until !== null) parts.push(`UNTIL=${recurrence.until.replaceAll('-', '')}T235959Z`);
  if (recurrence.occurrencesLimit !== null) parts.push(`COUNT=${recurrence.occurrencesLimit}`);
  const found: string[] = [];
  new RRuleTemporal({ rruleString: `DTSTART:${dtstart}\nRRULE:${parts.join(';')}` }).all((date, index) => {
    if (index >= count) return false;
    found.push(pragueInstant(Date.parse(`${date.toPlainDateTime().toString()}Z`)));
    return true;
  });
  return found;
}

const PRAGUE_CLOCK = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Europe/Prague',
  dateStyle: 'short',
  timeStyle: 'medium',
});

/**
 * The instant of a Prague wall-clock time. `wallClock` is this time in milliseconds, as if it were UTC. As in RFC 5545,
 * 3.3.5, a time that a clock change skips is read as the time one hour later. If the time occurs twice, the first
 * instant is returned. The function calculates an instant with the summer offset. If the Prague clock does not show
 * `wallClock` at this instant, the function uses the winter offset. The function uses the time zone data of the
 * platform, because the Temporal implementation of the library does not know clock changes ten years in the future.
 */
function pragueInstant(wallClock: number): string {
  const [summer, winter] = [wallClock - 7_200_000, wallClock - 3_600_000] as const;
  const isShown = (at: number): boolean => Date.parse(`${PRAGUE_CLOCK.format(at).replace(' ', 'T')}Z`) === wallClock;
  return toWire(new Date(isShown(summer) ? summer : winter));
}

describe('the recurrence compared with a library for RFC 5545 and RFC 7529', () => {
  const { interval, occurrences_limit: limit } = LIMITS.series;
  /** The number of compared occurrences. The smaller number is chosen more often, because its comparison is faster. */
  const anyCount = fc.oneof(
    { weight: 4, arbitrary: fc.constant(24) },
    { weight: 1, arbitrary: fc.constant(limit.max + 1) },
  );

  /** More than half of the starts are between 0:00 and 4:00 in UTC, near the hour of the clock changes. */
  const anyStart = fc.oneof(
    fc
      .integer({ min: Date.UTC(2024, 0, 1) / 1000, max: Date.UTC(2040, 11, 31) / 1000 })
      .map((seconds) => new Date(seconds * 1000)),
    fc
      .record({ day: fc.integer({ min: 0, max: 366 * 17 - 5 }), second: fc.integer({ min: 0, max: 4 * 3600 }) })
      .map(({ day, second }) => new Date(Date.UTC(2024, 0, 1 + day) + second * 1000)),
  );

  const anyRule: fc.Arbitrary<RecurrenceRule> = fc
    .record({
      startsAt: anyStart,
      frequency: fc.constantFrom(...FREQUENCIES),
      interval: fc.oneof(fc.constantFrom(1, 2, 3), fc.integer({ min: interval.min, max: interval.max })),
      end: fc.oneof(
        fc.constant({ until: null, occurrencesLimit: null }),
        fc.integer({ min: limit.min, max: limit.max }).map((occurrencesLimit) => ({ until: null, occurrencesLimit })),
        fc.integer({ min: 1, max: 4000 }).map((days) => ({ days })),
      ),
    })
    .map(({ startsAt, end, ...others }) => ({
      ...others,
      startsAt,
      ...('days' in end ? { until: addDays(pragueDay(startsAt), end.days), occurrencesLimit: null } : end),
    }));

  it('has the same starts for random rules that begin between 2024 and 2040', () => {
    fc.assert(
      fc.property(anyRule, anyCount, (recurrence, count) => {
        const expected = referenceStarts(recurrence, count);
        // If the wall-clock time of the first start occurs twice, `referenceStarts` cannot know which of the two
        // instants was sent. So the first start is not compared.
        expected[0] = toWire(recurrence.startsAt);
        expect(startsOf(recurrence, count)).toEqual(expected);
      }),
      { numRuns: repetitions('recurrence_rules') },
    );
  }, 120_000);
});
