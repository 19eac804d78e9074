import { LIMITS } from '#contract/limits';

/**
 * The result of an attempt: no further attempt (`done`), the end of the subscription (`ended`), or the time of the next
 * attempt.
 */
export type AttemptResult = 'done' | 'ended' | { readonly retryAt: Date };

const { delays } = LIMITS.push.tries;
const ENDED = new Set([404, 410]);
const TOO_MANY = 429;

/**
 * The result of an attempt that ended at `now` with this status (null: no answer), after `earlierAttempts` attempts
 * (PUSH-6).
 * @param until the time from which the message is no longer useful; `retryAt` is always earlier
 */
export function resultOf(
  { status, retryAfter }: { readonly status: number | null; readonly retryAfter?: string },
  earlierAttempts: number,
  now: Date,
  until: Date,
): AttemptResult {
  if (status !== null && ENDED.has(status)) return 'ended';
  if (status !== null && status < 500 && status !== TOO_MANY) return 'done';
  const delay = delays[earlierAttempts];
  if (delay === undefined) return 'done';
  const requestedAt = status === TOO_MANY ? retryTimeOf(retryAfter, now) : null;
  const retryAt = requestedAt ?? new Date(now.getTime() + delay * 1000);
  return retryAt < until ? { retryAt } : 'done';
}

/**
 * The time of a `Retry-After` (seconds or a date), at least a second from now; null if the header is absent or invalid.
 */
function retryTimeOf(retryAfter: string | undefined, now: Date): Date | null {
  const text = retryAfter?.trim() ?? '';
  const at = /^\d{1,9}$/.test(text) ? now.getTime() + Number(text) * 1000 : Date.parse(/GMT$/.test(text) ? text : '');
  return Number.isNaN(at) ? null : new Date(Math.max(at, now.getTime() + 1000));
}
