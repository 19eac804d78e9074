import { Injectable } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import type { ContentKind } from '#contract/vocabulary';
import { AuditLog } from '#platform/audit/audit-log';
import { Database, type Transaction } from '#platform/database/database';
import { inBatches } from '#platform/jobs/batches';
import type { Job, JobContext, JobResult } from '#platform/jobs/job';
import { PublicIds } from '#platform/http/public-ids';
import { RemovedContent } from './removed-content';
import { EXPIRED_REMOVALS, FORGET_REMOVAL, LOCK_OBJECTIONS_TO } from './removal.query';

/** Things looked up at once; each goes in a transaction of its own. */
const BATCH = 50;

/** Deletes for good what has been removed for thirty days and nobody's objection is about (MOD-80). */
@Injectable()
export class RemovedDeleteJob implements Job {
  readonly name = 'removed-delete';
  readonly every = 'hour';

  constructor(
    private readonly database: Database,
    private readonly removed: RemovedContent,
    private readonly audit: AuditLog,
    private readonly ids: PublicIds,
  ) {}

  async run({ now, signal }: JobContext): Promise<JobResult> {
    const then = new Date(now.getTime() - LIMITS.moderation.kept * 1000);
    let deleted = 0;
    await inBatches(BATCH, signal, async () => {
      const before = deleted;
      const expired = await this.database.rows<{ kind: ContentKind; subject_id: string }>(EXPIRED_REMOVALS, [
        then,
        BATCH,
      ]);
      for (const { kind, subject_id } of expired) {
        signal.throwIfAborted();
        if (await this.database.transaction((tx) => this.delete(tx, kind, Number(subject_id), then))) deleted++;
      }
      return deleted === before ? 0 : expired.length;
    });
    return { removed_deleted: deleted };
  }

  /** Looked at again under the locks: it may be back, or objected to, by now. */
  private async delete(tx: Transaction, kind: ContentKind, id: number, then: Date): Promise<boolean> {
    const objections = await tx.rows<{ waits: boolean }>(LOCK_OBJECTIONS_TO, [kind, id]);
    if (objections.some(({ waits }) => waits)) return false;
    const isDeleted = await this.removed.delete(tx, { kind, id }, then);
    if (isDeleted === false) return false;
    await tx.rows(FORGET_REMOVAL, [kind, id]);
    // Null: it went with what it was in.
    if (isDeleted)
      await this.audit.record(tx, {
        actorId: null,
        action: 'content delete',
        subject: `${kind} ${this.ids.encode(kind, id)}`,
      });
    return isDeleted === true;
  }
}
