import { LIMITS } from '#contract/limits';
import { pragueWallClock } from './prague';

const { years } = LIMITS;

/** Whether an instant lies in the years that can be told, both in UTC and on the clock of Prague (WIRE-10). */
export function isWithinYears(instant: Date): boolean {
  return [instant.getUTCFullYear(), pragueWallClock(instant).year].every(
    (year) => year >= years.min && year <= years.max,
  );
}
