import { Injectable } from '@nestjs/common';
import { Database } from '#platform/database/database';
import { sliceOf, type Page, type PageQueryDto } from '#platform/http/page';
import { readPage } from '#platform/http/read-page';
import { Refusal } from '#platform/http/refusal';
import { WireFormat } from '#platform/http/wire-format';
import { Clock } from '#platform/time/clock';
import { toWire } from '#platform/time/wire-time';
import type { Caller } from '../identity/caller.reader';
import { newMessageId } from './webhook-message';
import { ASK_FOR_TRY, DELIVERIES, DELIVERIES_TOTAL, INSERT_DELIVERY, type DeliveryRow } from './webhook.query';
import { WebhooksService } from './webhooks.service';

/** Messages of the caller's webhooks, and their results (HOOK-8). */
@Injectable()
export class DeliveriesService {
  constructor(
    private readonly database: Database,
    private readonly webhooks: WebhooksService,
    private readonly wire: WireFormat,
    private readonly clock: Clock,
  ) {}

  /** The messages of a webhook, the newest first. Throws 404 for an unknown webhook before the query is validated. */
  async list(caller: Caller, webhookId: number, read: () => PageQueryDto): Promise<Page<DeliveryRow>> {
    await this.webhooks.one(caller, webhookId);
    return readPage(
      this.database,
      { list: DELIVERIES, total: DELIVERIES_TOTAL },
      [webhookId],
      sliceOf(read()),
      (row: DeliveryRow) => row,
    );
  }

  /** Creates a test message, which is sent immediately. Throws 404 for an unknown webhook. */
  async test(caller: Caller, webhookId: number): Promise<DeliveryRow> {
    return this.database.transaction(async (tx) => {
      const { position, sent_cursor } = await this.webhooks.lock(tx, caller, webhookId);
      const now = this.clock.now();
      const id = this.wire.id('webhook', webhookId);
      const subject = { type: 'webhook', id, url: this.wire.page(`/api/v1/webhooks/${id}`), event: null, user: null };
      const data = { id: null, cursor: position, at: toWire(now), type: 'webhook.test', subject, by: null };
      const body = JSON.stringify({ type: 'webhook.test', timestamp: toWire(now), previous: sent_cursor, data });
      const [row] = await tx.rows<DeliveryRow>(INSERT_DELIVERY, [webhookId, newMessageId(), body, true, now]);
      if (!row) throw new Error('a delivery was not stored');
      return row;
    });
  }

  /** Requests another attempt of a message, which begins immediately. Throws 404 for an unknown webhook or message. */
  async retry(caller: Caller, webhookId: number, deliveryId: number): Promise<DeliveryRow> {
    return this.database.transaction(async (tx) => {
      await this.webhooks.lock(tx, caller, webhookId);
      const [row] = await tx.rows<DeliveryRow>(ASK_FOR_TRY, [webhookId, deliveryId, this.clock.now()]);
      if (!row) throw new Refusal('not_found');
      return row;
    });
  }
}
