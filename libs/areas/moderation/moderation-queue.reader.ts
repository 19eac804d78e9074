import { Injectable } from '@nestjs/common';
import { Database } from '#platform/database/database';
import type { Page, Slice } from '#platform/http/page';
import { readPage } from '#platform/http/read-page';
import {
  DECISION_HISTORY,
  DECISION_TOTAL,
  FORMER_DECISIONS,
  MODERATION_QUEUE,
  QUEUE_TOTAL,
  QUEUED_OBJECT,
  WAITING,
  type DecisionRow,
  type FormerDecisionRow,
  type QueueRow,
  type Waiting,
} from './decisions/decision.query';

export type { DecisionRow, FormerDecisionRow, QueueRow } from './decisions/decision.query';

/** Reported objects that wait for a decision (MOD-40), and past decisions (MOD-63). */
@Injectable()
export class ModerationQueue {
  constructor(private readonly database: Database) {}

  /** The first `limit` objects with open reports. The order is defined at `MODERATION_QUEUE`. */
  async list(limit: number): Promise<readonly QueueRow[]> {
    return this.database.rows<QueueRow>(MODERATION_QUEUE, [limit, 0]);
  }

  /** Like `list`, in pages. */
  async page(slice: Slice): Promise<Page<QueueRow>> {
    return readPage<QueueRow>(this.database, { list: MODERATION_QUEUE, total: QUEUE_TOTAL }, [], slice);
  }

  /** The numbers of objects and objections that wait for a decision. */
  async waiting(): Promise<Waiting> {
    const [row] = await this.database.rows<Waiting>(WAITING, []);
    return row ?? { reported_objects: 0, objections: 0 };
  }

  /**
   * The object of a report, with the latest decisions about this object and about other objects of the same author.
   * Null if there is no open report on the object.
   */
  async reportedObject(
    reportId: number,
  ): Promise<{ readonly row: QueueRow; readonly former: readonly FormerDecisionRow[] } | null> {
    const [row] = await this.database.rows<QueueRow>(QUEUED_OBJECT, [reportId]);
    return row ? { row, former: await this.database.rows<FormerDecisionRow>(FORMER_DECISIONS, [reportId]) } : null;
  }

  /** All decisions, the latest first. */
  async history(slice: Slice): Promise<Page<DecisionRow>> {
    return readPage<DecisionRow>(this.database, { list: DECISION_HISTORY, total: DECISION_TOTAL }, [], slice);
  }
}
