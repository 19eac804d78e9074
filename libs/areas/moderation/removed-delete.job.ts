import { Injectable } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import type { ContentKind } from '#contract/vocabulary';
import { AuditLog } from '#platform/audit/audit-log';
import { Database, type Transaction } from '#platform/database/database';
import { inBatches } from '#platform/jobs/batches';
import { eachSeparately } from '#platform/jobs/each-separately';
import type { Job, JobContext, JobResult } from '#platform/jobs/job';
import { PublicIds } from '#platform/http/public-ids';
import { RemovedContent } from './removed-content';
import { EXPIRED_REMOVALS, DELETE_REMOVAL, LOCK_OBJECTIONS_TO } from './removal.query';

/** Number of objects per query; each object is deleted in a separate transaction. */
const BATCH = 50;

/** Permanently deletes content that was removed at least thirty days ago and has no open objection (MOD-80). */
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
    const removedNotAfter = new Date(now.getTime() - LIMITS.moderation.kept * 1000);
    let deleted = 0;
    await inBatches(BATCH, signal, async () => {
      let gone = 0;
      const expired = await this.database.rows<{ kind: ContentKind; subject_id: string }>(EXPIRED_REMOVALS, [
        removedNotAfter,
        BATCH,
      ]);
      await eachSeparately(expired, signal, async ({ kind, subject_id }) => {
        const isDeleted = await this.database.transaction((tx) =>
          this.delete(tx, kind, Number(subject_id), removedNotAfter),
        );
        // Null: the object no longer existed.
        if (isDeleted !== false) gone++;
        if (isDeleted) deleted++;
      });
      // If all objects stay, the loop ends, because the next query would find the same objects again.
      return gone === 0 ? 0 : expired.length;
    });
    return { removed_deleted: deleted };
  }

  /**
   * Locks the decisions about the object, and then the object itself. Deletes the object, unless it was restored or its
   * author objected after the query. Returns true after the deletion, false if the object stays, and null if the object
   * no longer exists, for example because it was deleted with its parent.
   */
  private async delete(tx: Transaction, kind: ContentKind, id: number, removedNotAfter: Date): Promise<boolean | null> {
    const objections = await tx.rows<{ has_open_objection: boolean }>(LOCK_OBJECTIONS_TO, [kind, id]);
    if (objections.some((decision) => decision.has_open_objection)) return false;
    const isDeleted = await this.removed.delete(tx, { kind, id }, removedNotAfter);
    if (isDeleted === false) return false;
    await tx.rows(DELETE_REMOVAL, [kind, id]);
    if (isDeleted)
      await this.audit.record(tx, {
        actorId: null,
        action: 'content delete',
        subject: `${kind} ${this.ids.encode(kind, id)}`,
      });
    return isDeleted;
  }
}
