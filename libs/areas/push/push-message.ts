import { LIMITS } from '#contract/limits';
import type { PushKeyPair } from './push-keys';

/** The notification that the service worker shows. */
export interface PushMessage {
  readonly title: string;
  readonly body: string;
  readonly url: string;
  /** A new message replaces a displayed message with the same tag. */
  readonly tag: string;
}

/** The address and keys of a browser's subscription. */
export interface PushTarget {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
}

/** Bytes that encryption adds: header (salt, size, key), delimiter, and authentication tag (RFC 8188, RFC 8291). */
const ENCRYPTION_BYTES = 86 + 1 + 16;
const MAX_JSON_BYTES = LIMITS.push.body - ENCRYPTION_BYTES;

/**
 * Returns the message as JSON. If the encrypted message would be too long, the body is shortened and ends with `…`; the
 * title and the URL stay complete (PUSH-4).
 */
export function fittingJson(message: PushMessage): string {
  const whole = JSON.stringify(message);
  if (fits(whole)) return whole;
  const characters = [...message.body];
  const shortened = (count: number): string =>
    JSON.stringify({ ...message, body: `${characters.slice(0, count).join('').trimEnd()}…` });
  // Finds the largest number of characters that fits, by binary search.
  let [fitting, tooMany] = [0, characters.length];
  while (tooMany - fitting > 1) {
    const middle = Math.floor((fitting + tooMany) / 2);
    if (fits(shortened(middle))) fitting = middle;
    else tooMany = middle;
  }
  return shortened(fitting);
}

function fits(json: string): boolean {
  return Buffer.byteLength(json) <= MAX_JSON_BYTES;
}

/**
 * The request that sends the encrypted message to the push service (RFC 8030), with a signed token (RFC 8292). Each
 * call returns a different request.
 */
export async function pushRequest(
  { endpoint, p256dh, auth }: PushTarget,
  json: string,
  { keys, contact, ttl }: { keys: PushKeyPair; contact: string; ttl: number },
): Promise<{ headers: Record<string, string>; body: Buffer }> {
  const { default: webPush } = await import('web-push');
  const { cipherText } = webPush.encrypt(p256dh, auth, json, 'aes128gcm');
  const { origin } = new URL(endpoint);
  const { publicKey, privateKey } = keys;
  // The token is valid for 12 hours, counted from the system's time. `Clock` is not used, because the push service
  // compares the token with real time.
  const token = webPush.getVapidHeaders(origin, contact, publicKey, privateKey, 'aes128gcm');
  return {
    headers: {
      'content-type': 'application/octet-stream',
      'content-encoding': 'aes128gcm',
      'user-agent': 'events-push',
      ttl: String(ttl),
      authorization: token.Authorization,
    },
    body: cipherText,
  };
}
