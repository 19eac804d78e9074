export function inDays(days: number, from = new Date()): Date {
  return new Date(from.getTime() + days * 86_400_000);
}

/** A datetime for the wire: that many days from now, in whole seconds. */
export function soon(days = 7): string {
  return `${inDays(days).toISOString().slice(0, 19)}Z`;
}

/** Always to come: for days with a meaning of their own, in summer time for one. */
export const COMING_YEAR = new Date().getUTCFullYear() + 2;

/** A datetime as every answer has it: UTC, whole seconds. */
export const WIRE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
