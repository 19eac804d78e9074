import { ApiProperty } from '@nestjs/swagger';
import { CHANGE_TYPES, type ChangeType } from '#contract/changes';
import { DELIVERY_STATUSES, WEBHOOK_STATUSES, type DeliveryStatus, type WebhookStatus } from '#contract/vocabulary';
import type { WireFormat } from '#platform/http/wire-format';
import { toWire } from '#platform/time/wire-time';
import { PersonResource } from '../identity/person.resource';
import type { DeliveryRow, WebhookRow } from './webhook.query';

/** Where an account's changes are posted to (HOOK-1). */
export class WebhookResource {
  id: string;

  url: string;

  @ApiProperty({ enum: CHANGE_TYPES, isArray: true, nullable: true })
  types: ChangeType[] | null;

  description: string | null;

  @ApiProperty({ enum: WEBHOOK_STATUSES })
  status: WebhookStatus;

  created_at: string;

  updated_at: string;
}

/** A webhook with its secret, shown this once. */
export class WebhookWithSecretResource extends WebhookResource {
  /** signs every message (Standard Webhooks): `whsec_` and Base64 */
  secret: string;
}

/** What a message speaks of. */
export class DeliveredSubjectResource {
  type: string;

  id: string;

  @ApiProperty({ format: 'uri' })
  url: string;
}

/** What a message says: an entry of `/changes`, or of a test. */
export class DeliveredChangeResource {
  cursor: string;

  at: string;

  /** as in `/changes`, or `webhook.test` */
  type: string;

  subject: DeliveredSubjectResource;

  @ApiProperty({ type: PersonResource, nullable: true })
  by: PersonResource | null;
}

/** A message, and what became of it (HOOK-8). */
export class DeliveryResource {
  id: string;

  change: DeliveredChangeResource;

  @ApiProperty({ enum: DELIVERY_STATUSES })
  status: DeliveryStatus;

  @ApiProperty({ type: 'integer', minimum: 0 })
  attempts: number;

  /** the status of the last answer; null when there was none */
  @ApiProperty({ type: 'integer', nullable: true })
  last_status: number | null;

  /** milliseconds that the last try took */
  @ApiProperty({ type: 'integer', nullable: true })
  last_ms: number | null;

  next_attempt_at: string | null;

  created_at: string;
}

export function webhookResource({ id, url, types, description, status, created_at, updated_at }: WebhookRow, wire: WireFormat): WebhookResource {
  return { id: wire.id('webhook', id), url, types, description, status, created_at: toWire(created_at), updated_at: toWire(updated_at) };
}

export function deliveryResource(row: DeliveryRow, wire: WireFormat): DeliveryResource {
  const { data } = JSON.parse(row.body) as { data: DeliveredChangeResource };
  return {
    id: wire.id('webhook_delivery', row.id), change: data, status: row.status, attempts: row.attempts, last_status: row.last_status, last_ms: row.last_ms,
    next_attempt_at: toWire(row.next_attempt_at), created_at: toWire(row.created_at),
  };
}
