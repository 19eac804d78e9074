import { dateFormat } from './date-format';

describe('a date format', () => {
  it('is created only once for each combination of language, time zone and parts', () => {
    const day = { dateStyle: 'long', timeZone: 'Europe/Prague' } as const;
    const first = dateFormat('cs-CZ', day);
    const made = jest.spyOn(Intl, 'DateTimeFormat');
    expect(dateFormat('cs-CZ', { ...day })).toBe(first);
    expect(made).not.toHaveBeenCalled();
    made.mockRestore();
    const instant = new Date('2026-11-20T23:30:00Z');
    const others = [['en-GB', day] as const, ['cs-CZ', { ...day, timeZone: 'UTC' }] as const];
    expect(
      [['cs-CZ', day] as const, ...others].map(([tag, options]) => dateFormat(tag, options).format(instant)),
    ).toEqual(['21. listopadu 2026', '21 November 2026', '20. listopadu 2026']);
  });
});
