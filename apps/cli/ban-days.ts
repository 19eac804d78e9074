import { LIMITS } from '#contract/limits';
import { OperatorError } from '#platform/config/operator-error';

/** How many days a ban holds. @throws OperatorError for what is no such number */
export function daysOf(text: string): number {
  const { min, max } = LIMITS.moderation.days;
  const days = Number(text);
  if (!/^\d{1,4}$/.test(text) || days < min || days > max)
    throw new OperatorError(`--days must be a whole number from ${min} to ${max}.`);
  return days;
}
