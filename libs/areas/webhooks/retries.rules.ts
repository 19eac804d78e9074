import { LIMITS } from '#contract/limits';

const { delays, give_up_after: giveUpAfter } = LIMITS.webhooks.tries;

/**
 * The time of the next attempt after `tries` attempts. The first attempt began at `first`, and the last attempt ended
 * at `at`. Null if the next attempt would be later than `give_up_after` seconds after `first`.
 */
export function nextTryAfter(tries: number, first: Date, at: Date): Date | null {
  const seconds = delays[Math.min(tries, delays.length) - 1] ?? 0;
  const next = new Date(at.getTime() + seconds * 1000);
  return next.getTime() - first.getTime() > giveUpAfter * 1000 ? null : next;
}
