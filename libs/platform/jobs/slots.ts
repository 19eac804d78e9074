import { fromPragueWallClock, pragueWallClock } from '#platform/time/prague';
import type { Every } from './job';

const MINUTE = 60_000;

/** Prague's offsets are whole hours, so these slots begin at the same moments there as in UTC. */
const LENGTHS: Readonly<Record<Exclude<Every, 'day'>, number>> = {
  minute: MINUTE,
  '5 minutes': 5 * MINUTE,
  '10 minutes': 10 * MINUTE,
  hour: 60 * MINUTE,
};

/** The time of nightly jobs, after the hour that a clock change skips or repeats. */
const NIGHT = { hour: 3, minute: 20, second: 0 };

/**
 * The slot at `now`: the latest beginning of a minute, ten minutes, an hour, or a night. All servers compute the same
 * one, and after a downtime only this one is run.
 */
export function dueSlot(every: Every, now: Date): Date {
  if (every !== 'day') return new Date(now.getTime() - (now.getTime() % LENGTHS[every]));
  const wall = pragueWallClock(now);
  const tonight = fromPragueWallClock({ ...wall, ...NIGHT });
  return tonight <= now ? tonight : fromPragueWallClock({ ...wall, day: wall.day - 1, ...NIGHT });
}
