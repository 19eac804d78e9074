import { Injectable } from '@nestjs/common';
import { Database } from '#platform/database/database';
import { MODERATION_QUEUE, type QueueRow } from './decisions/decision.query';

/** What was reported and waits for a decision, thing by thing (MOD-40). */
@Injectable()
export class ModerationQueue {
  constructor(private readonly database: Database) {}

  /** By how many reported it, then what waits longest. */
  async list(atMost: number): Promise<readonly QueueRow[]> {
    return this.database.rows<QueueRow>(MODERATION_QUEUE, [atMost]);
  }
}
