import { setTimeout as pause } from 'node:timers/promises';
import { LIMITS } from '#contract/limits';
import { Refusal } from '../http/refusal';

/** Milliseconds between two checks whether another request is still in progress. The last value is repeated. */
const LOOKS = [15, 30, 50, 100];

/** Milliseconds in total that a request waits for another request with the same key (RETRY-7). */
export class Patience {
  private until: number | null = null;
  private looks = 0;

  /** @throws Refusal 409 `request_in_progress` if the time is over */
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
