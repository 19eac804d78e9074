import { LIMITS } from '#contract/limits';
import { Mistake } from '#platform/config/mistake';

/** How many days a ban holds. @throws Mistake for what is no such number */
export function daysOf(text: string): number {
  const { min, max } = LIMITS.moderation.days;
  const days = Number(text);
  if (!/^\d{1,4}$/.test(text) || days < min || days > max)
    throw new Mistake(`--days must be a whole number from ${min} to ${max}.`);
  return days;
}
