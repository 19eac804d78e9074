import { LIMITS } from '#contract/limits';

const { delays, give_up_after: giveUpAfter } = LIMITS.webhooks.tries;

/**
 * The time of the next attempt after `tries` attempts. The first attempt began at `firstBegan`, and the last attempt
 * ended at `lastEnded`. Null if the next attempt would be later than `give_up_after` seconds after `firstBegan`.
 */
export function nextTryAfter(tries: number, firstBegan: Date, lastEnded: Date): Date | null {
  const seconds = delays[Math.min(tries, delays.length) - 1] ?? 0;
  const next = new Date(lastEnded.getTime() + seconds * 1000);
  return next.getTime() - firstBegan.getTime() > giveUpAfter * 1000 ? null : next;
}
