import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '#platform/database/database';
import { sliceOf, type Page, type PageQueryDto } from '#platform/http/page';
import { readPage } from '#platform/http/read-page';
import { Refusal } from '#platform/http/refusal';
import { WireFormat } from '#platform/http/wire-format';
import { Clock } from '#platform/time/clock';
import { toWire } from '#platform/time/wire-time';
import { ChangesReader } from '../changes/changes.reader';
import type { Caller } from '../identity/caller.reader';
import { newMessageId, type WebhookMessage } from './webhook-message';
import {
  REQUEST_ATTEMPT,
  BEGIN_AT_POSITION,
  DELIVERIES,
  DELIVERIES_TOTAL,
  INSERT_DELIVERY,
  WAITING_MESSAGE,
  type DeliveryRow,
  type WebhookRow,
} from './webhook.query';
import { WebhooksService } from './webhooks.service';

/** Messages of the caller's webhooks, and their results (HOOK-8). */
@Injectable()
export class DeliveriesService {
  constructor(
    private readonly database: Database,
    private readonly webhooks: WebhooksService,
    private readonly changes: ChangesReader,
    private readonly wire: WireFormat,
    private readonly clock: Clock,
  ) {}

  /** The messages of a webhook, the newest first. Throws 404 for an unknown webhook before the query is validated. */
  async list(caller: Caller, webhookId: number, read: () => PageQueryDto): Promise<Page<DeliveryRow>> {
    await this.webhooks.find(caller, webhookId);
    return readPage(this.database, { list: DELIVERIES, total: DELIVERIES_TOTAL }, [webhookId], sliceOf(read()));
  }

  /**
   * Creates a test message, which is sent immediately. Throws 404 for an unknown webhook. A receiver that compares the
   * cursors of its messages must not see a gap, so the message gets the cursors of `cursorsOfTest` (HOOK-5).
   */
  async test(caller: Caller, webhookId: number): Promise<DeliveryRow> {
    return this.database.transaction(async (tx) => {
      const webhook = await this.webhooks.lock(tx, caller, webhookId);
      const { previous, cursor } = await this.cursorsOfTest(tx, webhook);
      const now = this.clock.now();
      const id = this.wire.id('webhook', webhookId);
      const url = this.wire.page(`/api/v1/webhooks/${id}`);
      const subject = { type: 'webhook', id, url, event: null, group: null, post: null, user: null };
      const data = { id: null, cursor, at: toWire(now), type: 'webhook.test', subject, by: null };
      const body = JSON.stringify({ type: 'webhook.test', timestamp: toWire(now), previous, data });
      const [row] = await tx.rows<DeliveryRow>(INSERT_DELIVERY, [webhookId, newMessageId(), body, true, now]);
      if (!row) throw new Error('a delivery was not stored');
      return row;
    });
  }

  /** Requests an immediate attempt to send a message again. Throws 404 for an unknown webhook or message. */
  async retry(caller: Caller, webhookId: number, deliveryId: number): Promise<DeliveryRow> {
    return this.database.transaction(async (tx) => {
      await this.webhooks.lock(tx, caller, webhookId);
      const [row] = await tx.rows<DeliveryRow>(REQUEST_ATTEMPT, [webhookId, deliveryId, this.clock.now()]);
      if (!row) throw new Refusal('not_found');
      return row;
    });
  }

  /**
   * The cursors of a test message. Usually, both are the cursor of the last message. If a message waits for its next
   * attempt, the receiver does not have this message yet. Then both cursors are the `previous` of the waiting message.
   * If the waiting message has no `previous` (null), the test message has none either, and its cursor is the position
   * before the change in the waiting message. If no message was created yet, the test message is the first message: its
   * `previous` is null, and its cursor becomes the `previous` of the next message.
   */
  private async cursorsOfTest(
    tx: Transaction,
    { id, position, sent_cursor }: WebhookRow,
  ): Promise<{ readonly previous: string | null; readonly cursor: string }> {
    const [waiting] = await tx.rows<{ body: string }>(WAITING_MESSAGE, [id]);
    if (waiting) {
      const { previous, data } = JSON.parse(waiting.body) as WebhookMessage;
      return { previous, cursor: previous ?? this.changes.cursorBefore(data.cursor) };
    }
    if (sent_cursor === null) await tx.rows(BEGIN_AT_POSITION, [id]);
    return { previous: sent_cursor, cursor: sent_cursor ?? position };
  }
}
