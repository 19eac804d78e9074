import { LIMITS } from '#contract/limits';
import { OperatorError } from '#platform/config/operator-error';

/**
 * Returns the value of `--days`, the number of days of a ban.
 * @throws OperatorError for an invalid number
 */
export function daysOf(text: string): number {
  const { min, max } = LIMITS.moderation.days;
  const days = Number(text);
  if (!/^\d{1,4}$/.test(text) || days < min || days > max)
    throw new OperatorError(`--days must be a whole number from ${min} to ${max}.`);
  return days;
}
