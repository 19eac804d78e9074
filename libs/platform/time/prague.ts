import { formatInTimeZone } from 'date-fns-tz/formatInTimeZone';
import { instantOfLocalTime } from './local-time';

/** A calendar day, `2026-11-20`. Limits and filters use days of the Prague time zone (WIRE-9). */
export type CalendarDay = string;

/** A local time in Prague. `month` is 1 for January. */
export interface WallClock {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

export const PRAGUE_ZONE = 'Europe/Prague';
const SECOND_MS = 1000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The Prague day on which an instant falls. */
export function pragueDay(instant: Date): CalendarDay {
  return isoDay(asPragueFields(instant));
}

/** Returns SQL that computes the same day as `pragueDay`. `instant`: an SQL expression. */
export function pragueDaySql(instant: string): string {
  return `(${instant} AT TIME ZONE '${PRAGUE_ZONE}')::date`;
}

/** The Prague local time of an instant. */
export function pragueWallClock(instant: Date): WallClock {
  const local = asPragueFields(instant);
  return {
    year: local.getUTCFullYear(),
    month: local.getUTCMonth() + 1,
    day: local.getUTCDate(),
    hour: local.getUTCHours(),
    minute: local.getUTCMinutes(),
    second: local.getUTCSeconds(),
  };
}

/**
 * The instant of a Prague local time (WIRE-8). A value beyond the range of its field continues in the next larger
 * field: day 32 of January is 1 February.
 */
export function fromPragueWallClock({ year, month, day, hour, minute, second }: WallClock): Date {
  const local = utc(year, month, day) + hour * HOUR_MS + minute * 60 * SECOND_MS + second * SECOND_MS;
  return new Date(instantOfLocalTime(local, offsetAt));
}

/** The instant at which a Prague day begins. */
export function startOfPragueDay(day: CalendarDay): Date {
  return startOfDay(day, 0);
}

/** The end of a Prague day, which is the start of the next day. */
export function endOfPragueDay(day: CalendarDay): Date {
  return startOfDay(day, 1);
}

/**
 * The start of the Prague day that is `days` days after `day`. The date is computed with numbers, because the day after
 * 9999-12-31 cannot be written as a `CalendarDay`.
 */
function startOfDay(day: CalendarDay, days: number): Date {
  const [year = NaN, month = NaN, date = NaN] = day.split('-').map(Number);
  return fromPragueWallClock({ year, month, day: date + days, hour: 0, minute: 0, second: 0 });
}

/** The calendar day that is `days` days after `day`; a negative number gives an earlier day. */
export function addDays(day: CalendarDay, days: number): CalendarDay {
  return isoDay(new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS));
}

/** Whole seconds until the Prague day ends, at least 1: the `Retry-After` of a daily limit. */
export function secondsUntilPragueMidnight(now: Date): number {
  const remainingMs = endOfPragueDay(pragueDay(now)).getTime() - now.getTime();
  return Math.max(1, Math.ceil(remainingMs / SECOND_MS));
}

/**
 * The age in whole years on a day. A person born on 29 February becomes a year older on 1 March, if the year is not a
 * leap year.
 */
export function ageOn(birthDate: CalendarDay, day: CalendarDay): number {
  const years = Number(day.slice(0, 4)) - Number(birthDate.slice(0, 4));
  return day.slice(4) < birthDate.slice(4) ? years - 1 : years;
}

/** Returns SQL that computes the same age as `ageOn`. Both arguments are SQL expressions of dates. */
export function ageOnSql(birthDate: string, day: string): string {
  return `extract(year FROM age(${day}, ${birthDate}))`;
}

/** Returns a Date whose UTC fields are the local time in Prague. */
function asPragueFields(instant: Date): Date {
  return new Date(instant.getTime() + offsetAt(instant.getTime()));
}

const MAX_CACHED_OFFSETS = 10_000;
const offsets = new Map<number, number>();

/**
 * Returns the milliseconds by which Prague is ahead of UTC at an instant. Offsets change only on the hour, so one
 * offset is cached per hour. formatInTimeZone is used, because other functions of date-fns-tz depend on the machine's
 * time zone.
 */
function offsetAt(instant: number): number {
  const hour = Math.floor(instant / HOUR_MS);
  const known = offsets.get(hour);
  if (known !== undefined) return known;
  if (offsets.size >= MAX_CACHED_OFFSETS) offsets.clear();
  const [hours = NaN, minutes = NaN] = formatInTimeZone(new Date(instant), PRAGUE_ZONE, 'xxx').split(':').map(Number);
  const offset = hours * HOUR_MS + Math.sign(hours) * minutes * 60 * SECOND_MS;
  offsets.set(hour, offset);
  return offset;
}

/** Like Date.UTC, but years below 100 are not changed to 19xx. `month` is 1 for January. */
function utc(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month - 1, day);
}

function isoDay(date: Date): CalendarDay {
  return date.toISOString().slice(0, '2026-11-20'.length);
}
