import { Injectable } from '@nestjs/common';
import { Database } from '#platform/database/database';
import { COUNT_FAILED, QUEUE } from './sending.query';

export interface WebhookQueue {
  readonly waiting: number;
  readonly active: number;
  readonly retrying: number;
  readonly oldest: Date | null;
}

/**
 * Numbers for operators about the webhooks of all accounts: how many webhooks have messages to send, and how many
 * messages were given up.
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
