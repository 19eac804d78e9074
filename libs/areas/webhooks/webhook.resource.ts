import { ApiProperty } from '@nestjs/swagger';
import { CHANGE_TYPES, type ChangeType } from '#contract/changes';
import { DELIVERY_STATUSES, WEBHOOK_STATUSES, type DeliveryStatus, type WebhookStatus } from '#contract/vocabulary';
import type { WireFormat } from '#platform/http/wire-format';
import { toWire } from '#platform/time/wire-time';
import { PersonResource } from '../identity/person.resource';
import type { DeliveryRow, WebhookRow } from './webhook.query';

/** A subscription to an account's changes (HOOK-1). */
export class WebhookResource {
  /** hashid */
  id: string;

  /** the address that receives the messages */
  url: string;

  /** the types of change that are sent; null: all */
  @ApiProperty({ enum: CHANGE_TYPES, isArray: true, nullable: true })
  types: ChangeType[] | null;

  /** the owner's note; null if there is none */
  description: string | null;

  /** a paused webhook sends only test messages, and messages that the owner sends again */
  @ApiProperty({ enum: WEBHOOK_STATUSES })
  status: WebhookStatus;

  /** when the webhook was created */
  created_at: string;

  /** when the webhook was last changed */
  updated_at: string;
}

/** A webhook with its secret, which is shown only once. */
export class WebhookWithSecretResource extends WebhookResource {
  /** the key that signs every message (Standard Webhooks): `whsec_` and Base64 */
  secret: string;
}

/** The subject of the entry in a message. */
export class DeliveredSubjectResource {
  /** the kind of the thing that changed; `webhook` in a test message */
  type: string;

  /** the id of the thing, as in paths */
  id: string;

  /** the address in this API at which the owner reads the thing */
  @ApiProperty({ format: 'uri' })
  url: string;

  /** as in `/changes`; null in a test message */
  @ApiProperty({ type: 'string', nullable: true })
  event: string | null;

  /** as in `/changes`; null in a test message */
  @ApiProperty({ type: 'string', nullable: true })
  group: string | null;

  /** as in `/changes`; null in a test message */
  @ApiProperty({ type: 'string', nullable: true })
  post: string | null;

  /** as in `/changes`; null in a test message */
  @ApiProperty({ type: 'string', nullable: true })
  user: string | null;
}

/** The entry in a message: an entry of `/changes`, or a test entry. */
export class DeliveredChangeResource {
  /** as in `/changes`; null in a test message */
  @ApiProperty({ type: 'string', nullable: true })
  id: string | null;

  /**
   * the position in `/changes` right after this entry; in a test message, usually the cursor of the previous message
   */
  cursor: string;

  /** when the change was made */
  at: string;

  /** as in `/changes`, or `webhook.test` */
  type: string;

  /** the thing that changed */
  subject: DeliveredSubjectResource;

  /** the person who made the change; null if an operator or the service made it, or if the account must not be shown */
  @ApiProperty({ type: PersonResource, nullable: true })
  by: PersonResource | null;
}

/** A message and its result (HOOK-8). */
export class DeliveryResource {
  /** hashid, as in paths; different from the `webhook-id` of the message */
  id: string;

  /** the entry in the message, which is the `data` of the message */
  change: DeliveredChangeResource;

  /**
   * a `pending` message waits for an attempt; a `failed` message is sent again only on request. After such a request,
   * the status stays the same until the attempt, and `next_attempt_at` is the time of the attempt
   */
  @ApiProperty({ enum: DELIVERY_STATUSES })
  status: DeliveryStatus;

  /** how many attempts to send the message were made */
  @ApiProperty({ type: 'integer', minimum: 0 })
  attempts: number;

  /** the HTTP status of the answer to the last attempt; null before the first attempt, and if there was no answer */
  @ApiProperty({ type: 'integer', nullable: true })
  last_status: number | null;

  /** milliseconds that the last attempt took; null before the first attempt */
  @ApiProperty({ type: 'integer', nullable: true })
  last_ms: number | null;

  /** when the message is sent next; null if it is not sent again */
  next_attempt_at: string | null;

  /** when the message was created */
  created_at: string;
}

export function webhookResource(
  { id, url, types, description, status, created_at, updated_at }: WebhookRow,
  wire: WireFormat,
): WebhookResource {
  return {
    id: wire.id('webhook', id),
    url,
    types,
    description,
    status,
    created_at: toWire(created_at),
    updated_at: toWire(updated_at),
  };
}

export function deliveryResource(row: DeliveryRow, wire: WireFormat): DeliveryResource {
  const { data } = JSON.parse(row.body) as { data: DeliveredChangeResource };
  // Messages of an older version lack some fields.
  const { event = null, group = null, post = null, user = null } = data.subject;
  const subject = { ...data.subject, event, group, post, user };
  return {
    id: wire.id('webhook_delivery', row.id),
    change: { ...data, id: data.id ?? null, subject },
    status: row.status,
    attempts: row.attempts,
    last_status: row.last_status,
    last_ms: row.last_ms,
    next_attempt_at: toWire(row.next_attempt_at),
    created_at: toWire(row.created_at),
  };
}
