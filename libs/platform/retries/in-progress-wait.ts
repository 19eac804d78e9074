import { setTimeout as pause } from 'node:timers/promises';
import { LIMITS } from '#contract/limits';
import { Refusal } from '../http/refusal';

/** Milliseconds before each check whether the request with the same key is in progress. The last value is repeated. */
const POLL_DELAYS_MS = [15, 30, 50, 100];

/** Waits, up to a time limit, while another request with the same `Idempotency-Key` is in progress (RETRY-7). */
export class InProgressWait {
  private until: number | null = null;
  private polls = 0;

  /**
   * Waits until the next check.
   *
   * @throws Refusal 409 `request_in_progress` if the next check would be after the time limit
   */
  async wait(): Promise<void> {
    this.until ??= performance.now() + LIMITS.retries.wait * 1000;
    const ms = POLL_DELAYS_MS[Math.min(this.polls++, POLL_DELAYS_MS.length - 1)] as number;
    if (performance.now() + ms > this.until) throw inProgress();
    await pause(ms);
  }
}

export function inProgress(): Refusal {
  return new Refusal('request_in_progress', { retryAfter: LIMITS.requests.retry_after_min });
}
