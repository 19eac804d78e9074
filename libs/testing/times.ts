export function inDays(days: number, from = new Date()): Date {
  return new Date(from.getTime() + days * 86_400_000);
}

/** A datetime for the wire: that many days from now, in whole seconds. */
export function soon(days = 7): string {
  return `${inDays(days).toISOString().slice(0, 19)}Z`;
}
