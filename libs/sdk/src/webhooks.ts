import { Webhook } from 'standardwebhooks';
import type { components } from './generated/schema.ts';

type Change = components['schemas']['Change'];

/** The body of a webhook's request: a change or a test message. The `data.id` of a test message is null. */
export type WebhookMessage =
  Message<Change['type'], Change> | Message<'webhook.test', components['schemas']['DeliveredChange']>;

interface Message<Type, Data> {
  readonly type: Type;
  readonly timestamp: string;
  /**
   * The cursor of the message that was sent before this message; null for the first message. If `previous` differs from
   * the last cursor that you stored, changes are missing. `client.changes({ cursor })` with your last cursor returns
   * the missing changes.
   */
  readonly previous: string | null;
  readonly data: Data;
}

/**
 * Verifies that a request comes from the service and is at most five minutes old, and returns the message of the
 * request. Otherwise throws a `WebhookVerificationError` of `standardwebhooks`. `body` is the raw body of the request.
 * `headers` are the headers of the request; in a plain object, their names must be in lower case. `secret` is the
 * secret of the webhook (`whsec_…`).
 */
export function verifiedWebhook(
  secret: string,
  body: string,
  headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>,
): WebhookMessage {
  const headerOf = (name: string): string => {
    const value = headers instanceof Headers ? headers.get(name) : headers[name];
    return typeof value === 'string' ? value : '';
  };
  const signatureHeaders = {
    'webhook-id': headerOf('webhook-id'),
    'webhook-timestamp': headerOf('webhook-timestamp'),
    'webhook-signature': headerOf('webhook-signature'),
  };
  return new Webhook(secret).verify(body, signatureHeaders) as WebhookMessage;
}
