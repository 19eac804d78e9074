import { Injectable } from '@nestjs/common';
import { AuditLog } from '#platform/audit/audit-log';
import type { Transaction } from '#platform/database/database';
import { ContentCommands, type RemovalStatus } from './content.commands';
import type { Content } from './contents';
import { DecisionRecords } from './decisions/decision-records';
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
    private readonly records: DecisionRecords,
    private readonly audit: AuditLog,
  ) {}

  /** Returns null if the content does not exist. A second removal changes nothing and sends no notices. */
  async remove(
    tx: Transaction,
    content: Content,
    { publicId, reason, actorId }: RemovalOrder,
  ): Promise<RemovalStatus | null> {
    // The author and the content are read before the removal, because `SUBJECTS` finds only visible content. If the
    // content is already hidden for another reason (for example a ban of its author), no decision is stored, and the
    // author is not notified.
    const [subject] = await tx.rows<SubjectRow>(SUBJECTS[content.kind], [content.id]);
    const [firstReport] = await this.reports.lock(tx, content.kind, content.id);
    const removal = await this.content.removeWithoutAudit(tx, content, reason, actorId);
    if (!removal) return null;
    const { isNew, ...status } = removal;
    if (!isNew) return status;
    const { kind: type, id } = content;
    if (subject)
      await this.records.add(tx, {
        type,
        id,
        sent: publicId,
        snapshot: subject.snapshot,
        authorId: Number(subject.author_id),
        action: 'remove',
        days: null,
        until: null,
        reason,
        actorId,
      });
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
