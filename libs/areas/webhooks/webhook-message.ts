import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';

/** What is posted: `previous` is the cursor of the entry sent before, so that a gap can be seen, and filled from /changes. */
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

/** The headers by which the receiver knows the message, of Standard Webhooks 1.0: a signature for each secret. */
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
