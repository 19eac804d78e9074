import { localInstant, localText } from './local-instant';

const PRAGUE = 'Europe/Prague';
const instantOf = (text: string, zone = PRAGUE) => localInstant(text, zone)?.toISOString() ?? null;

// PAGE-96
describe('a local time in a form', () => {
  it.each([
    ['2030-06-01T15:00', '2030-06-01T13:00:00.000Z'],
    ['2030-01-15T15:00:07', '2030-01-15T14:00:07.000Z'],
    [' 2030-06-01 15:00 ', '2030-06-01T13:00:00.000Z'],
    ['2028-02-29T12:00', '2028-02-29T11:00:00.000Z'],
    ['9999-12-31T23:59', '9999-12-31T22:59:00.000Z'],
    ['0000-06-01T12:00', '0000-06-01T11:02:16.000Z'],
  ])('is read in the reader’s time zone: %s', (text, instant) => expect(instantOf(text)).toBe(instant));

  it('is the earlier instant if clocks show this time twice (in autumn), and is moved forward if clocks skip it (in spring)', () => {
    expect(instantOf('2030-10-27T02:30')).toBe('2030-10-27T00:30:00.000Z');
    expect(instantOf('2030-11-03T01:30', 'America/New_York')).toBe('2030-11-03T05:30:00.000Z');
    expect(instantOf('2030-03-31T02:30')).toBe('2030-03-31T01:30:00.000Z');
    expect(instantOf('2030-03-31T01:59')).toBe('2030-03-31T00:59:00.000Z');
    expect(instantOf('2030-03-31T03:00')).toBe('2030-03-31T01:00:00.000Z');
  });

  it.each(['', '2030-06-01', '2030-02-30T10:00', '2029-02-29T10:00', '2030-06-01T24:00', '2030-06-01T10:60'])(
    'is refused if it is incomplete or does not exist: %j',
    (text) => expect(instantOf(text)).toBeNull(),
  );

  it('is refused if it has 60 seconds or a time zone', () => {
    expect([instantOf('2030-06-01T10:00:60'), instantOf('2030-06-01T10:00Z')]).toEqual([null, null]);
  });

  it('is shown with seconds only if the seconds are not zero', () => {
    expect(localText(new Date('2030-06-01T13:00:00Z'), PRAGUE)).toBe('2030-06-01T15:00');
    expect(localText(new Date('2030-06-01T13:00:07Z'), 'America/New_York')).toBe('2030-06-01T09:00:07');
  });
});
