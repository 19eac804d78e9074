import { ECDH } from 'node:crypto';
import { LIMITS } from '#contract/limits';
import { Refusal } from '#platform/http/refusal';
import type { PushTarget } from './push-message';
import { parseUrl } from '#platform/text/url';

const POINT_BYTES = 65;
const UNCOMPRESSED_POINT_PREFIX = 4;

/**
 * The content of a `PushSubscription` that a browser has sent. Throws 422 if the content is invalid. This function does
 * not check whether the service may connect to the endpoint.
 */
export function pushTargetOf(sent: unknown): PushTarget {
  const { endpoint, keys } = fieldsOf(sent);
  if (typeof endpoint !== 'string' || endpoint.length > LIMITS.push.endpoint.max || parseUrl(endpoint) === null)
    throw Refusal.invalid('endpoint', 'url');
  const { p256dh, auth } = fieldsOf(keys);
  if (!isPoint(bytesOf(p256dh)) || bytesOf(auth)?.length !== LIMITS.push.auth_bytes)
    throw Refusal.invalid('keys', 'push_keys');
  return { endpoint, p256dh: String(p256dh), auth: String(auth) };
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function bytesOf(text: unknown): Buffer | null {
  return typeof text === 'string' && /^[\w-]+$/.test(text) ? Buffer.from(text, 'base64url') : null;
}

/** Whether `bytes` contains an uncompressed point of the curve P-256. */
function isPoint(bytes: Buffer | null): boolean {
  if (bytes?.length !== POINT_BYTES || bytes[0] !== UNCOMPRESSED_POINT_PREFIX) return false;
  try {
    ECDH.convertKey(bytes, 'prime256v1');
    return true;
  } catch {
    return false;
  }
}
