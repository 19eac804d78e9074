import { LIMITS } from '#contract/limits';
import { refTo, type Node } from './schema';

const TEXT = { type: 'string' };
const HEADERS: readonly (readonly [name: string, description: string, example: string])[] = [
  ['webhook-id', 'The id of the message: the same in every attempt.', 'msg_8f3kQz1XbW0cVtYh5mN2aA'],
  ['webhook-timestamp', 'The time of this attempt, in Unix seconds.', '1893456000'],
  [
    'webhook-signature',
    'One or more signatures `v1,…`, separated by spaces: HMAC-SHA-256 over `id.timestamp.body` in Base64.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ],
];

/** The body that is posted to a webhook. */
export const WEBHOOK_MESSAGE: Node = {
  type: 'object',
  required: ['type', 'timestamp', 'previous', 'data'],
  properties: {
    type: { ...TEXT, description: 'the type of the change, or `webhook.test`' },
    timestamp: { ...TEXT, format: 'date-time', description: 'when the message was created' },
    previous: {
      type: ['string', 'null'],
      description: 'the cursor of the previous entry that was sent to this webhook; null in its first message',
    },
    data: {
      ...refTo('schemas', 'DeliveredChange'),
      description:
        'the entry, as `GET /changes` shows it; in a test message, an entry that is not in `/changes`, with `id` null',
    },
  },
};

/** The requests that this service sends to webhooks. `example`: an example of the body. */
export function webhooks(example: unknown): Node {
  return {
    change: {
      post: {
        operationId: 'receiveChange',
        tags: ['Webhooks'],
        summary: 'A change, posted to the address of a webhook',
        description:
          'Messages are signed according to Standard Webhooks 1.0, and are sent one at a time, in the order of `/changes`. /docs/webhooks describes how to verify a message, when it is sent again, and when the webhook is paused.',
        security: [],
        parameters: HEADERS.map(([name, description, value]) => ({
          name,
          in: 'header',
          required: true,
          description,
          schema: TEXT,
          example: value,
        })),
        requestBody: {
          required: true,
          content: { 'application/json': { schema: refTo('schemas', 'WebhookMessage'), example } },
        },
        responses: {
          '2XX': {
            description: `Delivered, if the answer comes within ${LIMITS.webhooks.answer.within} seconds. The body is not used.`,
          },
          '410': { description: 'The webhook is paused immediately.' },
          default: { description: 'A failure: the message is sent again later. Redirects are not followed.' },
        },
      },
    },
  };
}
