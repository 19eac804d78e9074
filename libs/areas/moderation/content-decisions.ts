import { Injectable } from '@nestjs/common';
import { AuditLog } from '#platform/audit/audit-log';
import type { Transaction } from '#platform/database/database';
import { Clock } from '#platform/time/clock';
import { ContentCommands, type RemovalStatus } from './content.commands';
import type { Content } from './contents';
import { DecisionNotices, newObjectionKey } from './decisions/decision-notices';
import { ADD_DECISION } from './decisions/decision.query';
import { OpenReports } from './decisions/open-reports';
import { SUBJECTS, type SubjectRow } from './reports/subject.query';

/** The actor, the reason, and the content's public id as the actor sent it. */
interface RemovalOrder {
  readonly publicId: string;
  readonly reason: string;
  /** Null if the order comes from the command line. */
  readonly actorId: number | null;
}

/**
 * Removes content for an operator. The effects are the same as after a moderator's decision: the author is notified and
 * may send an objection, and the open reports about the content are closed (MOD-1, MOD-102, MOD-50).
 */
@Injectable()
export class ContentDecisions {
  constructor(
    private readonly content: ContentCommands,
    private readonly reports: OpenReports,
    private readonly notices: DecisionNotices,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /** Returns null if the content does not exist. A second removal changes nothing and sends no notices. */
  async remove(
    tx: Transaction,
    content: Content,
    { publicId, reason, actorId }: RemovalOrder,
  ): Promise<RemovalStatus | null> {
    // The author and the content are read before the removal, because `SUBJECTS` finds only visible content. If the
    // content is hidden because its author is banned, no decision is stored, and the author is not notified.
    const [subject] = await tx.rows<SubjectRow>(SUBJECTS[content.kind], [content.id]);
    const [firstReport] = await this.reports.lock(tx, content.kind, content.id);
    const removal = await this.content.removeWithoutAudit(tx, content, reason, actorId);
    if (!removal) return null;
    const { isNew, ...status } = removal;
    if (!isNew) return status;
    if (subject) {
      const { key, hash } = newObjectionKey();
      const values = [
        content.kind,
        content.id,
        publicId,
        JSON.stringify(subject.snapshot),
        subject.author_id,
        'remove',
        null,
        reason,
        actorId,
        this.clock.now(),
        hash,
      ];
      const [row] = await tx.rows<{ id: string }>(ADD_DECISION, values);
      await this.notices.notifyAuthor(tx, Number(subject.author_id), Number(row?.id), {
        type: content.kind,
        snapshot: subject.snapshot,
        outcome: 'removed',
        reason,
        until: null,
        key,
      });
    }
    const { kind: type, id } = content;
    const reports = firstReport
      ? await this.reports.close(tx, { type, id, snapshot: firstReport.snapshot }, 'removed')
      : 0;
    await this.audit.record(tx, {
      actorId,
      action: 'content remove',
      subject: `${content.kind} ${publicId}`,
      reason,
      details: reports > 0 ? { reports } : {},
    });
    return status;
  }
}
