/** The time that is `days` days of 24 hours after `from`. */
export function inDays(days: number, from = new Date()): Date {
  return new Date(from.getTime() + days * 86_400_000);
}

/** A datetime for a request: the time in `days` days, in UTC and whole seconds. */
export function soon(days = 7): string {
  return `${inDays(days).toISOString().slice(0, 19)}Z`;
}

/** The year after next, for tests that need a particular date in the future, such as a day in summer time. */
export const YEAR_AFTER_NEXT = new Date().getUTCFullYear() + 2;

/** The format of datetimes in responses: UTC, whole seconds. */
export const WIRE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
