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
 * `hash`: SHA-256 of the key in base64url; null if there is no valid key. `isAccepted`: false for an invalid key, or if
 * the request has more than one key.
 */
export interface IdempotencyKey {
  readonly hash: string | null;
  readonly isAccepted: boolean;
}

export const NO_KEY: IdempotencyKey = { hash: null, isAccepted: true };
const INVALID_KEY: IdempotencyKey = { hash: null, isAccepted: false };

/** The key of a request. The keys of requests that only read are ignored (RETRY-1). */
export function idempotencyKey(request: IncomingMessage): IdempotencyKey {
  if (!(HEADER.toLowerCase() in request.headers) || isReadingMethod(request.method)) return NO_KEY;
  const { rawHeaders } = request;
  const sent = rawHeaders.filter((_, n) => n % 2 === 1 && rawHeaders[n - 1]?.toLowerCase() === HEADER.toLowerCase());
  const key = keyOf(sent[0] ?? '');
  if (sent.length > 1 || key === null) return INVALID_KEY;
  return { hash: hash('sha256', key, 'base64url'), isAccepted: true };
}

/** The key in the value of the header, or of the argument `key` of an MCP tool; null if the key is not valid. */
function keyOf(sent: string): string | null {
  const key = sent.startsWith('"') ? QUOTED.exec(sent)?.[1]?.replace(/\\(["\\])/g, '$1') : sent;
  return key !== undefined && key.length >= min && key.length <= max && PRINTABLE_ASCII.test(key) ? key : null;
}

/** The error for an invalid key in the argument `field` of an MCP tool; null if the key is valid. */
export function refusalOfKeyArgument(field: string, value: string): Refusal | null {
  return keyOf(value) === null ? Refusal.invalid(field, 'idempotency_key_argument', { min, max }) : null;
}

/** The error for an invalid key: 422 on `Idempotency-Key`. */
export function invalidKey(): Refusal {
  return Refusal.invalid(HEADER, 'idempotency_key', { min, max });
}
