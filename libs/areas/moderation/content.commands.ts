import { Injectable } from '@nestjs/common';
import { AuditLog } from '#platform/audit/audit-log';
import type { Transaction } from '#platform/database/database';
import { Clock } from '#platform/time/clock';
import { REMOVALS, type Content } from './contents';
import { DELETE_REMOVAL, ADD_REMOVAL, REMOVAL_OF, type RemovalRow } from './removal.query';

/** The state of an object after its removal or restoration. */
export interface RemovalStatus {
  readonly removedAt: Date | null;
  readonly reason: string | null;
}

/** The values of the entry in the audit log about a restoration. */
interface RestorationEntry {
  /** Null if the action comes from the command line or from a job. */
  readonly actorId: number | null;
  readonly subject: string;
}

/** Hides objects and restores them (MOD-1 to MOD-4). */
@Injectable()
export class ContentCommands {
  constructor(
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /**
   * Hides the object. Returns null if the object does not exist. `isNew` is false if the object was already removed;
   * the object then keeps its first reason. The calling code records the whole decision in the audit log.
   */
  async removeWithoutAudit(
    tx: Transaction,
    content: Content,
    reason: string,
    actorId: number | null,
  ): Promise<(RemovalStatus & { readonly isNew: boolean }) | null> {
    const removal = REMOVALS[content.kind];
    const state = await removal.lock(tx, content.id);
    if (!state) return null;
    if (state.removedAt !== null) return { ...(await this.statusOf(tx, content)), isNew: false };
    const now = this.clock.now();
    await removal.set(tx, content.id, now);
    await tx.rows(ADD_REMOVAL, [content.kind, content.id, reason, now, actorId]);
    return { removedAt: now, reason, isNew: true };
  }

  /** Restores the object. Returns null if the object does not exist. A visible object is not changed. */
  async restore(
    tx: Transaction,
    content: Content,
    { actorId, subject }: RestorationEntry,
  ): Promise<RemovalStatus | null> {
    const isRestored = await this.restoreWithoutAudit(tx, content);
    if (isRestored === null) return null;
    if (isRestored) await this.audit.record(tx, { actorId, action: 'content restore', subject });
    return { removedAt: null, reason: null };
  }

  /**
   * Like `restore`, but without an entry in the audit log. Returns whether anything changed; null if the object does
   * not exist. With `removedNotAfter`, an object that was removed after this time is not restored.
   */
  async restoreWithoutAudit(tx: Transaction, content: Content, removedNotAfter?: Date): Promise<boolean | null> {
    const removal = REMOVALS[content.kind];
    const state = await removal.lock(tx, content.id);
    if (!state) return null;
    if (state.removedAt === null || (removedNotAfter && state.removedAt > removedNotAfter)) return false;
    await removal.set(tx, content.id, null);
    await tx.rows(DELETE_REMOVAL, [content.kind, content.id]);
    return true;
  }

  private async statusOf(tx: Transaction, { kind, id }: Content): Promise<RemovalStatus> {
    const [row] = await tx.rows<RemovalRow>(REMOVAL_OF, [kind, id]);
    return { removedAt: row?.removed_at ?? null, reason: row?.reason ?? null };
  }
}
