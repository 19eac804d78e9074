import { Injectable } from '@nestjs/common';
import { Database, type Queryable } from '#platform/database/database';
import { usageWithoutExpiry, type Usage } from '#platform/database/usage';
import { COUNT_FAILED, QUEUE } from './sending.query';
import { COUNT_WEBHOOKS } from './webhook.query';

export interface WebhookQueue {
  /** Webhooks that have work and that no process has reserved. */
  readonly waiting: number;
  /** Webhooks that a process has reserved. */
  readonly active: number;
  /** Webhooks that wait for a further attempt. */
  readonly retrying: number;
  /** The start of the longest current wait for a reservation; null if no webhook waits for a reservation. */
  readonly oldest: Date | null;
}

/** Numbers of webhooks and failed messages of all accounts (for operators), and of one account's webhooks. */
@Injectable()
export class WebhooksReader {
  constructor(private readonly database: Database) {}

  /** Null if there is no webhook for which messages may be sent (`maySendSql`). */
  async queue(now: Date): Promise<WebhookQueue | null> {
    const [queue] = await this.database.rows<WebhookQueue>(QUEUE, [now]);
    return queue ?? null;
  }

  /** The number of stored messages that were given up (status `failed`). */
  async countFailed(): Promise<number> {
    const [row] = await this.database.rows<{ failed: number }>(COUNT_FAILED);
    return row?.failed ?? 0;
  }

  /** The number of an account's webhooks, for the limit (HOOK-2) and for `GET /limits`. */
  async usage(database: Queryable, userId: number): Promise<Usage> {
    const [row] = await database.rows<{ total: number }>(COUNT_WEBHOOKS, [userId]);
    return usageWithoutExpiry(row?.total ?? 0);
  }
}
