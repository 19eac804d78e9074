const DAY_MS = 24 * 3_600_000;

/**
 * Converts a local time to its instant, both in milliseconds (WIRE-8). If the clock change in spring skips the local
 * time, the instant of the later time is returned: 03:30 for 02:30. If the change in autumn repeats the local time, the
 * first of the two instants is returned.
 * @param local the local time as if it were a time in UTC
 * @param offsetAt the milliseconds by which the zone is ahead of UTC at an instant
 */
export function instantOfLocalTime(local: number, offsetAt: (instant: number) => number): number {
  const before = offsetAt(local - DAY_MS);
  const after = offsetAt(local + DAY_MS);
  // The offset before the clock change is correct for skipped times, and for the first of two equal times.
  const isAfterChange = offsetAt(local - before) !== before && offsetAt(local - after) === after;
  return local - (isAfterChange ? after : before);
}
