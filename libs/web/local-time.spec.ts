import {
  dateTile,
  localDayHeading,
  localDayKey,
  localDeadline,
  localListDay,
  localShortTime,
  localStart,
  localTimes,
} from './local-time';

const ENGLISH = { locale: 'en', timezone: 'Europe/Prague' } as const;
const CZECH = { locale: 'cs', timezone: 'Europe/Prague' } as const;
const AMERICAN = { locale: 'en', timezone: 'America/New_York' } as const;
/** This instant is in 2031 in Prague, but still in 2030 in New York. */
const NEW_YEAR = new Date('2030-12-31T23:30:00Z');
const MAY = new Date('2031-05-07T10:00:00Z');

// PAGE-16
describe('a time on a page', () => {
  it('is in the time zone of the reader', () => {
    expect([localDayKey(ENGLISH, NEW_YEAR), localDayKey(AMERICAN, NEW_YEAR)]).toEqual(['2031-01-01', '2030-12-31']);
    expect([dateTile(ENGLISH, NEW_YEAR).day, dateTile(AMERICAN, NEW_YEAR)]).toEqual(['1', { month: 'Dec', day: '31' }]);
    expect(localStart(ENGLISH, MAY, NEW_YEAR)).toMatch(/7 May.*12:00/);
    expect(localStart(AMERICAN, MAY, MAY)).toMatch(/7 May.*0?6:00/);
  });

  it('is in the language of the reader', () => {
    expect(localDayHeading(CZECH, MAY, MAY)).toBe('středa 7. května');
    expect(localDayHeading(ENGLISH, MAY, MAY).replace(',', '')).toBe('Wednesday 7 May');
    expect(localListDay(CZECH, MAY, MAY)).toBe('7. května');
    expect(localListDay(ENGLISH, MAY, NEW_YEAR)).toBe('7 May');
    expect(localListDay(CZECH, MAY, new Date('2030-05-07T10:00:00Z'))).toBe('7. května 2031');
    expect(dateTile(CZECH, MAY).day).toBe('7');
  });

  it('has an hour with a leading zero in English, but not in Czech', () => {
    const [starts, ends] = [new Date('2031-05-07T07:05:00Z'), new Date('2031-05-07T09:00:00Z')];
    for (const text of [
      localStart(CZECH, starts, MAY),
      localTimes(CZECH, starts, null),
      localTimes(CZECH, starts, ends),
      localShortTime(CZECH, starts),
    ])
      expect(text).toMatch(/(?<!0)9:05/);
    for (const text of [
      localStart(ENGLISH, starts, MAY),
      localTimes(ENGLISH, starts, ends),
      localShortTime(ENGLISH, starts),
    ])
      expect(text).toContain('09:05');
  });

  it.each([
    ['en', '2031-05-01T18:00:00Z', '2031-05-02T00:00:00Z', /20:00\s–\sFriday.* 02:00\u00a0CEST$/],
    ['cs', '2031-05-01T18:00:00Z', '2031-05-02T00:00:00Z', /20:00\s–\spátek.*\s2:00\u00a0SELČ$/],
    ['en', '2031-05-01T18:00:00Z', '2031-05-01T20:00:00Z', /20:00\u00a0?–\u00a0?\u206022:00\u00a0CEST$/],
    // The clocks are changed in the night.
    ['en', '2031-10-25T20:00:00Z', '2031-10-26T08:00:00Z', /22:00\u00a0CEST\s–\sSunday.* 09:00\u00a0CET$/],
  ] as const)(
    'has the name of the time zone only once if it is a range, unless the zone changes within the range: %s %s %s',
    (locale, starts, ends, text) => {
      expect(localTimes({ ...ENGLISH, locale }, new Date(starts), new Date(ends))).toMatch(text);
    },
  );

  it('has only the zone of the end if it is a range within the day on which the clocks are changed', () => {
    const [starts, ends] = [new Date('2031-10-26T00:30:00Z'), new Date('2031-10-26T03:00:00Z')];
    expect(localTimes(ENGLISH, starts, null)).toMatch(/02:30\u00a0CEST$/);
    expect(localTimes(ENGLISH, starts, ends)).toMatch(/02:30\u00a0?–\u00a0?\u206004:00\u00a0CET$/);
  });

  it('has a no-break space between a Czech preposition and the time of day', () => {
    for (const text of [localTimes(CZECH, MAY, null), localDeadline(CZECH, MAY)])
      expect(text).toContain('v\u00a012:00');
    const end = new Date('2031-05-09T10:00:00Z');
    expect(localTimes(CZECH, MAY, end).match(/v\u00a012:00/g)).toHaveLength(2);
  });

  it('has a year in a list or a heading only if it is not the current year in the time zone of the reader', () => {
    for (const textOf of [localStart, localListDay, localDayHeading]) {
      expect(textOf(ENGLISH, MAY, NEW_YEAR)).not.toContain('2031');
      expect(textOf(AMERICAN, MAY, NEW_YEAR)).toContain('2031');
      expect(textOf(ENGLISH, MAY, new Date('2030-12-31T22:30:00Z'))).toContain('2031');
    }
  });
});
