import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';

/**
 * The body of the POST. `previous` is the cursor of the message that was sent before this message, or null if no
 * message was sent before. With `previous`, receivers detect missing entries, which they can read from /changes.
 */
export interface WebhookMessage {
  readonly type: string;
  readonly timestamp: string;
  readonly previous: string | null;
  readonly data: { readonly cursor: string };
}

const SECRET_BYTES = 32;

export function newWebhookSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}

export function newMessageId(): string {
  return `msg_${randomBytes(16).toString('base64url')}`;
}

/** Returns the headers that Standard Webhooks 1.0 requires. `webhook-signature` has one signature for each secret. */
export function signedHeaders(
  secrets: readonly string[],
  messageId: string,
  at: Date,
  body: string,
): Record<string, string> {
  return {
    'webhook-id': messageId,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(messageId, at, body)).join(' '),
  };
}
