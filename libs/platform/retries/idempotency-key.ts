import type { IncomingMessage } from 'node:http';
import { LIMITS } from '#contract/limits';
import { Refusal } from '../http/refusal';

const HEADER = 'Idempotency-Key';
const { min, max } = LIMITS.retries.key;

const PLAIN = /^[\x20-\x7e]+$/;
/** RFC 9651: a quoted string, in which only a quote and a backslash are escaped. */
const QUOTED = /^"((?:[\x20-\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/;

/**
 * The key of a request, null without one (RETRY-1).
 * @throws Refusal 422 on `Idempotency-Key` for two of them, or one that cannot be a key
 */
export function idempotencyKey(request: IncomingMessage): string | null {
  const sent = request.headersDistinct[HEADER.toLowerCase()];
  if (sent === undefined) return null;
  const [written = ''] = sent;
  const key = written.startsWith('"') ? QUOTED.exec(written)?.[1]?.replace(/\\(["\\])/g, '$1') : written;
  if (sent.length > 1 || key === undefined || key.length < min || key.length > max || !PLAIN.test(key)) {
    throw Refusal.invalid(HEADER, 'idempotency_key', { min, max });
  }
  return key;
}
