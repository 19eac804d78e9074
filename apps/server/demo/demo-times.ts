import { fromPragueWallClock, pragueWallClock } from '#platform/time/prague';

/** The instant at `hour` o'clock in Prague, `days` days after the day of `now` in Prague. */
export function pragueHour(now: Date, days: number, hour: number): Date {
  const today = pragueWallClock(now);
  return fromPragueWallClock({ ...today, day: today.day + days, hour, minute: 0, second: 0 });
}
