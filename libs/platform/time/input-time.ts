import { LIMITS } from '#contract/limits';
import { fromPragueWallClock, type CalendarDay } from './prague';
import { isWithinYears } from './years';

const DATETIME =
  /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?(?:(Z)|([+-])(\d{2})(?::?(\d{2}))?)?$/;
const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;
const MINUTE_MS = 60_000;

/**
 * Parses an ISO 8601 datetime from a request (WIRE-7, WIRE-8). A datetime without an offset and without `Z` is a local
 * time in Prague. Fractions of a second are removed. Returns null for any other text: a date without a time, a date or
 * time that does not exist, another format, or a year that is not accepted (WIRE-10).
 */
export function parseDateTime(text: string): Date | null {
  const match = DATETIME.exec(text);
  if (!match) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((digits = '0') => Number(digits));
  if (!isRealDay(year, month, day) || hour > 23 || minute > 59 || second > 59) return null;
  const [, , , , , , , zulu, sign, offsetHours = '0', offsetMinutes = '0'] = match;
  if (!zulu && !sign) return withinYears(fromPragueWallClock({ year, month, day, hour, minute, second }));
  if (Number(offsetHours) > 23 || Number(offsetMinutes) > 59) return null;
  const offset = (Number(offsetHours) * 60 + Number(offsetMinutes)) * MINUTE_MS * (sign === '-' ? -1 : 1);
  return withinYears(new Date(Date.UTC(year, month - 1, day, hour, minute, second) - offset));
}

function withinYears(instant: Date): Date | null {
  return isWithinYears(instant) ? instant : null;
}

/** Returns the text if it is an existing day `YYYY-MM-DD` of an accepted year (WIRE-10); null for any other text. */
export function parseDay(text: string): CalendarDay | null {
  const match = DAY.exec(text);
  if (!match) return null;
  const [year = 0, month = 0, day = 0] = match.slice(1).map(Number);
  return isRealDay(year, month, day) ? text : null;
}

function isRealDay(year: number, month: number, day: number): boolean {
  if (year < LIMITS.years.min || year > LIMITS.years.max || month < 1 || month > 12 || day < 1) return false;
  return day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}
