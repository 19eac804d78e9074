import { fromPragueWallClock, pragueWallClock } from '#platform/time/prague';

/** The instant at a full hour of Prague's local time, `days` days after the day of `now`. */
export function pragueHour(now: Date, days: number, hour: number): Date {
  const today = pragueWallClock(now);
  return fromPragueWallClock({ ...today, day: today.day + days, hour, minute: 0, second: 0 });
}
