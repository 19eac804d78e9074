import { Injectable } from '@nestjs/common';
import { Database } from '#platform/database/database';
import { COUNT_FAILED, QUEUE } from './sending.query';

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

/**
 * Numbers for operators about the webhooks of all accounts: how many webhooks have messages to send, and how many
 * stored messages were given up (status `failed`).
 */
@Injectable()
export class WebhooksReader {
  constructor(private readonly database: Database) {}

  /** Null if there is no webhook for which messages may be sent (`maySendSql`). */
  async queue(now: Date): Promise<WebhookQueue | null> {
    const [queue] = await this.database.rows<WebhookQueue>(QUEUE, [now]);
    return queue ?? null;
  }

  async countFailed(): Promise<number> {
    const [row] = await this.database.rows<{ failed: number }>(COUNT_FAILED);
    return row?.failed ?? 0;
  }
}
