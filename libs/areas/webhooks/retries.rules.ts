import { LIMITS } from '#contract/limits';

const { delays, give_up_after: giveUpAfter } = LIMITS.webhooks.tries;

/**
 * The time of the next attempt after `tries` attempts, of which the last was at `at`; null if there is no further
 * attempt.
 */
export function nextTryAfter(tries: number, first: Date, at: Date): Date | null {
  const seconds = delays[Math.min(tries, delays.length) - 1] ?? 0;
  const next = new Date(at.getTime() + seconds * 1000);
  return next.getTime() - first.getTime() > giveUpAfter * 1000 ? null : next;
}
