import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { transformFileSync } from '@swc/core';
import {
  addDays,
  ageOn,
  endOfPragueDay,
  fromPragueWallClock,
  pragueDay,
  pragueWallClock,
  secondsUntilPragueMidnight,
  startOfPragueDay,
} from './prague';
import { toWire } from './wire-time';

const at = (iso: string): Date => new Date(iso);

/** Parses a Prague local time: `2026-03-29 02:30:00`. */
const wall = (text: string) => {
  const [year, month, day, hour, minute, second] = text.split(/\D/).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  return { year, month, day, hour, minute, second };
};

// WIRE-8
describe('a Prague local time', () => {
  it.each([
    ['winter', '2026-01-15 18:00:00', '2026-01-15T17:00:00Z'],
    ['summer', '2026-07-15 18:00:00', '2026-07-15T16:00:00Z'],
    ['just before the hour that the spring clock change skips', '2026-03-29 01:59:59', '2026-03-29T00:59:59Z'],
    ['the start of the skipped hour', '2026-03-29 02:00:00', '2026-03-29T01:00:00Z'],
    ['a time within the skipped hour, read as one hour later', '2026-03-29 02:30:00', '2026-03-29T01:30:00Z'],
    ['the end of the skipped hour', '2026-03-29 03:00:00', '2026-03-29T01:00:00Z'],
    ['the skipped hour of another year', '2027-03-28 02:15:30', '2027-03-28T01:15:30Z'],
    ['just before the hour that the autumn clock change repeats', '2026-10-25 01:59:59', '2026-10-24T23:59:59Z'],
    ['the start of the repeated hour, read as the first instant', '2026-10-25 02:00:00', '2026-10-25T00:00:00Z'],
    ['the end of the repeated hour, read as the first instant', '2026-10-25 02:59:59', '2026-10-25T00:59:59Z'],
    ['after the repeated hour', '2026-10-25 03:00:00', '2026-10-25T02:00:00Z'],
    ['the last second of a year', '2026-12-31 23:59:59', '2026-12-31T22:59:59Z'],
    ['the first supported year', '1900-01-01 00:00:00', '1899-12-31T23:00:00Z'],
    ['the winter of 1946, when Prague had Greenwich time', '1946-12-24 18:00:00', '1946-12-24T18:00:00Z'],
    ['the last supported year', '9999-12-31 23:59:59', '9999-12-31T22:59:59Z'],
  ])('is converted to an instant (%s): %s is %s', (_why, local, instant) => {
    expect(toWire(fromPragueWallClock(wall(local)))).toBe(instant);
  });
});

describe('an instant is converted to a Prague local time and day:', () => {
  it.each([
    ['2026-01-15T23:00:00Z', '2026-01-16 00:00:00'],
    ['2026-07-15T21:59:59Z', '2026-07-15 23:59:59'],
    ['2026-03-29T00:59:59Z', '2026-03-29 01:59:59'],
    ['2026-03-29T01:00:00Z', '2026-03-29 03:00:00'],
    ['2026-03-29T21:59:59Z', '2026-03-29 23:59:59'],
    ['2026-10-25T00:30:00Z', '2026-10-25 02:30:00'],
    ['2026-10-25T01:30:00Z', '2026-10-25 02:30:00'],
    ['2026-10-25T23:00:00Z', '2026-10-26 00:00:00'],
  ])('%s is %s', (instant, local) => {
    expect(pragueWallClock(at(instant))).toEqual(wall(local));
    expect(pragueDay(at(instant))).toBe(local.slice(0, 10));
  });
});

// WIRE-9
describe('a Prague day', () => {
  it.each([
    ['2026-01-15', '2026-01-14T23:00:00Z', '2026-01-15T23:00:00Z', 24],
    ['2026-03-29', '2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z', 23],
    ['2026-10-25', '2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z', 25],
    ['2026-12-31', '2026-12-30T23:00:00Z', '2026-12-31T23:00:00Z', 24],
    ['2028-02-29', '2028-02-28T23:00:00Z', '2028-02-29T23:00:00Z', 24],
    ['9999-12-31', '9999-12-30T23:00:00Z', '9999-12-31T23:00:00Z', 24],
    ['1900-01-01', '1899-12-31T23:00:00Z', '1900-01-01T23:00:00Z', 24],
  ])('%s lasts from %s to %s', (day, start, end, hours) => {
    expect(toWire(startOfPragueDay(day))).toBe(start);
    expect(toWire(endOfPragueDay(day))).toBe(end);
    expect((endOfPragueDay(day).getTime() - startOfPragueDay(day).getTime()) / 3_600_000).toBe(hours);
  });

  it.each([
    ['2026-01-15T22:59:59.000Z', 1],
    ['2026-01-15T22:59:59.999Z', 1],
    ['2026-01-15T23:00:00.000Z', 86_400],
    ['2026-03-29T00:00:00.000Z', 22 * 3600],
    ['2026-10-25T00:00:00.000Z', 23 * 3600],
    ['2026-07-15T12:00:00.500Z', 10 * 3600],
  ])('that contains %s ends %d seconds later, rounded up', (now, seconds) => {
    expect(secondsUntilPragueMidnight(at(now))).toBe(seconds);
  });

  it('has a next and a previous day, also at the end of February and on the day of a clock change', () => {
    expect(addDays('2026-02-28', 1)).toBe('2026-03-01');
    expect(addDays('2028-03-01', -1)).toBe('2028-02-29');
    expect(addDays('2026-03-29', 1)).toBe('2026-03-30');
  });
});

// JOIN-11, WIRE-9
describe('age', () => {
  it.each([
    ['1990-05-01', '2026-04-30', 35],
    ['1990-05-01', '2026-05-01', 36],
    ['1990-05-01', '1990-05-01', 0],
    ['2008-02-29', '2026-02-28', 17],
    ['2008-02-29', '2026-03-01', 18],
    ['2008-02-29', '2028-02-29', 20],
  ])('of a person born on %s is, on %s, %d years', (born, day, age) => expect(ageOn(born, day)).toBe(age));
});

describe('a datetime in a response', () => {
  it('has whole seconds in UTC', () => {
    expect(toWire(at('2026-11-20T18:00:00.999Z'))).toBe('2026-11-20T18:00:00Z');
    expect(toWire(at('2026-11-20T19:00:00+01:00'))).toBe('2026-11-20T18:00:00Z');
    expect(toWire(null)).toBeNull();
  });
});

describe('the time zone of the machine', () => {
  /** Instants whose Prague time could be wrong if the clock changes of the machine's time zone were applied. */
  const instants = ['2026-03-08T01:30:00Z', '2026-03-29T01:30:00Z', '2026-03-29T00:30:00Z'];
  const zones = ['UTC', 'America/New_York', 'America/Santiago', 'Europe/Prague', 'Pacific/Apia'];
  /** The JavaScript code of a TypeScript file, as a string literal. */
  const literalOf = (file: string): string =>
    JSON.stringify(
      transformFileSync(join(__dirname, file), {
        swcrc: false,
        jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
        module: { type: 'commonjs' },
      }).code,
    );
  const script = `
    const run = (code, load) => { const exports = {}; new Function('exports', 'require', code)(exports, load); return exports; };
    const results = ${JSON.stringify(zones)}.map((zone) => {
      process.env.TZ = zone;
      const localTime = run(${literalOf('local-time.ts')}, require);
      const load = (name) => name === './local-time' ? localTime : require(name);
      const { pragueWallClock } = run(${literalOf('prague.ts')}, load);
      const times = ${JSON.stringify(instants)}.map((one) => pragueWallClock(new Date(one)));
      return [zone, new Date(0).getTimezoneOffset(), ...times];
    });
    console.log(JSON.stringify(results))`;

  it('does not change Prague times', () => {
    const out = execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' });
    const times = ['2026-03-08 02:30:00', '2026-03-29 03:30:00', '2026-03-29 01:30:00'].map(wall);
    // Offsets on 1 January 1970, in minutes. They show that the process really was in these time zones.
    const offsets = [0, 300, 180, -60, 660];
    expect(JSON.parse(out)).toEqual(JSON.parse(JSON.stringify(zones.map((zone, i) => [zone, offsets[i], ...times]))));
  });
});
