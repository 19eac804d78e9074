import { Webhook } from 'standardwebhooks';
import type { components } from './generated/schema.ts';

/** What a webhook is sent. */
export interface WebhookMessage {
  readonly type: components['schemas']['Change']['type'] | 'webhook.test';
  readonly timestamp: string;
  /** The cursor of the change sent before this one, null at first: another than the last you kept means a gap, which `client.changes({ cursor })` fills. */
  readonly previous: string | null;
  readonly data: components['schemas']['Change'];
}

/**
 * The message of a request, once it is known to come from the service and to be no older than five minutes; throws a `WebhookVerificationError`
 * of `standardwebhooks` otherwise. `body` is the request's as it came, before anything has parsed it; `secret` is the webhook's (`whsec_…`).
 */
export function verifiedWebhook(
  secret: string,
  body: string,
  headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>,
): WebhookMessage {
  const read = (name: string): string => {
    const value = headers instanceof Headers ? headers.get(name) : headers[name];
    return typeof value === 'string' ? value : '';
  };
  const named = {
    'webhook-id': read('webhook-id'),
    'webhook-timestamp': read('webhook-timestamp'),
    'webhook-signature': read('webhook-signature'),
  };
  return new Webhook(secret).verify(body, named) as WebhookMessage;
}
