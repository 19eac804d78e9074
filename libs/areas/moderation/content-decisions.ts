import { Injectable } from '@nestjs/common';
import { AuditLog } from '#platform/audit/audit-log';
import type { Transaction } from '#platform/database/database';
import { Clock } from '#platform/time/clock';
import { ContentCommands, type RemovalStatus } from './content.commands';
import type { Content } from './contents';
import { DecisionNotices, newObjectionKey } from './decisions/decision-notices';
import { ADD_DECISION } from './decisions/decision.query';
import { SUBJECTS, type SubjectRow } from './reports/subject.query';

/** Who removes a thing, why, and by which id they name it. */
interface RemovalOrder {
  readonly sent: string;
  readonly reason: string;
  /** Null: on the command line. */
  readonly actorId: number | null;
}

/** Removing what nobody has reported: a decision all the same, which its author is told of and may object to (MOD-1, MOD-50). */
@Injectable()
export class ContentDecisions {
  constructor(
    private readonly content: ContentCommands,
    private readonly notices: DecisionNotices,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /** As `ContentCommands.remove`. Null for what is not there; what is removed already stays as it was, and nobody is told again. */
  async remove(tx: Transaction, content: Content, { sent, reason, actorId }: RemovalOrder): Promise<RemovalStatus | null> {
    // As long as it is in sight: whose it is and what it says. What a ban hides has nobody who could be told.
    const [thing] = await tx.rows<SubjectRow>(SUBJECTS[content.kind], [content.kind === 'post' ? sent : content.id]);
    const taken = await this.content.takeOut(tx, content, reason, actorId);
    if (taken?.isNew && thing) {
      const { key, hash } = newObjectionKey();
      const values = [content.kind, content.id, sent, JSON.stringify(thing.snapshot), thing.author_id, 'remove', null, reason, actorId, this.clock.now(), hash];
      const [row] = await tx.rows<{ id: string }>(ADD_DECISION, values);
      await this.notices.tellAuthor(tx, Number(thing.author_id), Number(row?.id), { type: content.kind, snapshot: thing.snapshot, outcome: 'removed', reason, until: null, key });
    }
    if (taken?.isNew) await this.audit.record(tx, { actorId, action: 'content remove', subject: `${content.kind} ${sent}`, reason });
    return taken && { removedAt: taken.removedAt, reason: taken.reason };
  }
}
