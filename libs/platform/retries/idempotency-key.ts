import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { LIMITS } from '#contract/limits';
import { isReadingMethod } from '#contract/vocabulary';
import { Refusal } from '../http/refusal';

const HEADER = 'Idempotency-Key';
const { min, max } = LIMITS.retries.key;

const PRINTABLE_ASCII = /^[\x20-\x7e]+$/;
/** RFC 9651: a quoted string in which only quotes and backslashes are escaped. */
const QUOTED = /^"((?:[\x20-\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/;

/**
 * `hash`: SHA-256 of the key in base64url; null if there is no valid key. `isGood`: false for an invalid key, or if the
 * request has more than one key.
 */
export interface IdempotencyKey {
  readonly hash: string | null;
  readonly isGood: boolean;
}

export const NO_KEY: IdempotencyKey = { hash: null, isGood: true };
const INVALID_KEY: IdempotencyKey = { hash: null, isGood: false };

/** The key of a request. The keys of requests that only read are ignored (RETRY-1). */
export function idempotencyKey(request: IncomingMessage): IdempotencyKey {
  if (!(HEADER.toLowerCase() in request.headers) || isReadingMethod(request.method)) return NO_KEY;
  const { rawHeaders } = request;
  const sent = rawHeaders.filter((_, n) => n % 2 === 1 && rawHeaders[n - 1]?.toLowerCase() === HEADER.toLowerCase());
  const [sentKey = ''] = sent;
  const key = sentKey.startsWith('"') ? QUOTED.exec(sentKey)?.[1]?.replace(/\\(["\\])/g, '$1') : sentKey;
  if (sent.length > 1 || key === undefined || key.length < min || key.length > max || !PRINTABLE_ASCII.test(key))
    return INVALID_KEY;
  return { hash: hash('sha256', key, 'base64url'), isGood: true };
}

/** The error for an invalid key: 422 on `Idempotency-Key`. */
export function invalidKey(): Refusal {
  return Refusal.invalid(HEADER, 'idempotency_key', { min, max });
}
