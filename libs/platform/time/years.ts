import { LIMITS } from '#contract/limits';
import { pragueWallClock } from './prague';

const { years } = LIMITS;

/** Whether the year of an instant is supported, both in UTC and in Prague time (WIRE-10). */
export function isWithinYears(instant: Date): boolean {
  return [instant.getUTCFullYear(), pragueWallClock(instant).year].every(
    (year) => year >= years.min && year <= years.max,
  );
}
