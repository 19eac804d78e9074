import { formatInTimeZone } from 'date-fns-tz/formatInTimeZone';

/** A calendar day, `2026-11-20`. Days of limits and filters are Prague days (WIRE-9). */
export type CalendarDay = string;

/** A Prague wall-clock time; `month` counts from 1. */
export interface WallClock {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

const ZONE = 'Europe/Prague';
const SECOND_MS = 1000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The Prague day on which an instant falls. */
export function pragueDay(instant: Date): CalendarDay {
  return isoDay(shifted(instant));
}

/** SQL of `pragueDay`, a date. */
export function pragueDaySql(instant: string): string {
  return `(${instant} AT TIME ZONE '${ZONE}')::date`;
}

/** The Prague wall-clock time of an instant. */
export function pragueWallClock(instant: Date): WallClock {
  const local = shifted(instant);
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
 * The instant of a Prague wall-clock time. In the spring gap the time moves forward (02:30 is 03:30), in the autumn the
 * first of the two is used (WIRE-8). Fields beyond their range roll over.
 */
export function fromPragueWallClock({ year, month, day, hour, minute, second }: WallClock): Date {
  const wall = utc(year, month, day) + hour * HOUR_MS + minute * 60 * SECOND_MS + second * SECOND_MS;
  const before = offsetAt(wall - DAY_MS);
  const after = offsetAt(wall + DAY_MS);
  // The offset before the change is the right one within the gap and for the first of two equal times.
  const meant = offsetAt(wall - before) === before ? before : offsetAt(wall - after) === after ? after : before;
  return new Date(wall - meant);
}

/** The instant at which a Prague day begins. */
export function startOfPragueDay(day: CalendarDay): Date {
  return startOfDay(day, 0);
}

/** The end of a Prague day: the start of the next one, exclusive. */
export function endOfPragueDay(day: CalendarDay): Date {
  return startOfDay(day, 1);
}

/**
 * The start of a Prague day `later` days later, computed from its fields: the day after 9999-12-31 has no text of this
 * form.
 */
function startOfDay(day: CalendarDay, later: number): Date {
  const [year = NaN, month = NaN, date = NaN] = day.split('-').map(Number);
  return fromPragueWallClock({ year, month, day: date + later, hour: 0, minute: 0, second: 0 });
}

/** A calendar day some days later (negative: earlier). */
export function addDays(day: CalendarDay, days: number): CalendarDay {
  return isoDay(new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS));
}

/** Whole seconds until the Prague day ends, at least 1: the `Retry-After` of a daily limit. */
export function secondsUntilPragueMidnight(now: Date): number {
  const left = endOfPragueDay(pragueDay(now)).getTime() - now.getTime();
  return Math.max(1, Math.ceil(left / SECOND_MS));
}

/** Age in whole years on a day. A person born on 29 February turns a year older on 1 March of a common year. */
export function ageOn(birthDate: CalendarDay, day: CalendarDay): number {
  const years = Number(day.slice(0, 4)) - Number(birthDate.slice(0, 4));
  return day.slice(4) < birthDate.slice(4) ? years - 1 : years;
}

/** SQL of `ageOn`, of two dates. */
export function ageOnSql(birthDate: string, day: string): string {
  return `extract(year FROM age(${day}, ${birthDate}))`;
}

/** A date whose UTC fields are Prague's local ones. */
function shifted(instant: Date): Date {
  return new Date(instant.getTime() + offsetAt(instant.getTime()));
}

const OFFSETS_KEPT = 10_000;
const offsets = new Map<number, number>();

/**
 * Milliseconds that Prague is ahead of UTC at an instant. Offsets change on the hour only, so one is cached per hour.
 * Uses formatInTimeZone, because date-fns-tz's other functions depend on the machine's own zone and its gaps.
 */
function offsetAt(instant: number): number {
  const hour = Math.floor(instant / HOUR_MS);
  const known = offsets.get(hour);
  if (known !== undefined) return known;
  if (offsets.size >= OFFSETS_KEPT) offsets.clear();
  const [hours = NaN, minutes = NaN] = formatInTimeZone(new Date(instant), ZONE, 'xxx').split(':').map(Number);
  const offset = hours * HOUR_MS + Math.sign(hours) * minutes * 60 * SECOND_MS;
  offsets.set(hour, offset);
  return offset;
}

/** Date.UTC without its interpretation of years below 100 as 19xx; `month` counts from 1. */
function utc(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month - 1, day);
}

function isoDay(date: Date): CalendarDay {
  return date.toISOString().slice(0, '2026-11-20'.length);
}
