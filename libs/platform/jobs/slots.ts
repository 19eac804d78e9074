import { fromPragueWallClock, pragueWallClock } from '#platform/time/prague';
import type { Every } from './job';

const MINUTE = 60_000;

/**
 * The lengths of intervals. A job runs once in each interval. A slot is the moment at which an interval begins. The
 * slots of these intervals are the same in Prague and in UTC, because Prague's offsets are whole hours.
 */
const LENGTHS: Readonly<Record<Exclude<Every, 'day'>, number>> = {
  minute: MINUTE,
  '5 minutes': 5 * MINUTE,
  '10 minutes': 10 * MINUTE,
  hour: 60 * MINUTE,
};

/** The time of nightly jobs in Prague. No clock change skips or repeats this time. */
const NIGHT = { hour: 3, minute: 20, second: 0 };

/**
 * Returns the latest slot that is not after `now`. The slots of a daily job are the nightly times. All servers
 * compute the same slot. After a downtime, a job runs once for this slot, and not for the slots that it has missed.
 */
export function dueSlot(every: Every, now: Date): Date {
  if (every !== 'day') return new Date(now.getTime() - (now.getTime() % LENGTHS[every]));
  const wall = pragueWallClock(now);
  const tonight = fromPragueWallClock({ ...wall, ...NIGHT });
  return tonight <= now ? tonight : fromPragueWallClock({ ...wall, day: wall.day - 1, ...NIGHT });
}
