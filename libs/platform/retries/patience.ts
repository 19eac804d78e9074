import { setTimeout as pause } from 'node:timers/promises';
import { LIMITS } from '#contract/limits';
import { Refusal } from '../http/refusal';

/** Milliseconds between two looks at what somebody else is at; the last one goes on. */
const LOOKS = [15, 30, 50, 100];

/** How long one request waits for another with the same key, in all (RETRY-7). */
export class Patience {
  private until: number | null = null;
  private looks = 0;

  /** @throws Refusal 409 `request_in_progress` when there is none left */
  async wait(): Promise<void> {
    this.until ??= performance.now() + LIMITS.retries.patience * 1000;
    const ms = LOOKS[Math.min(this.looks++, LOOKS.length - 1)] as number;
    if (performance.now() + ms > this.until) throw inProgress();
    await pause(ms);
  }
}

export function inProgress(): Refusal {
  return new Refusal('request_in_progress', { retryAfter: LIMITS.requests.retry_after_min });
}
