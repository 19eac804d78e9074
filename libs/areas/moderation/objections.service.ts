import { Injectable } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import { AuditLog } from '#platform/audit/audit-log';
import { hideActor } from '#platform/changes/hide-actor';
import { Database, type Queryable } from '#platform/database/database';
import { Clock } from '#platform/time/clock';
import { hashSecret } from '#platform/text/hash-secret';
import { CannotDecide, type CannotDecideCode } from './decisions/cannot-decide';
import { DecisionEffects, endOfBan } from './decisions/decision-effects';
import { DecisionNotices } from './decisions/decision-notices';
import {
  ANSWER_OBJECTION,
  DECISION,
  DECISION_BY_LINK,
  HAS_OTHER_MODERATOR,
  LOCK_DECISION,
  ADD_OBJECTION,
  OBJECTIONS,
  OTHER_BAN,
  type DecisionRow,
} from './decisions/decision.query';

export type { DecisionRow } from './decisions/decision.query';

/** Whether the author may object to a decision, or the reason why not. */
export type ObjectionPermission = 'yes' | 'already_objected' | 'too_late';

/** The answer to an objection. */
export interface Answer {
  readonly granted: boolean;
  readonly reason: string;
  /** Null if the answer comes from the command line. */
  readonly actorId: number | null;
}

/** Objections to decisions; at most one for each decision (MOD-50 to MOD-54). */
@Injectable()
export class ObjectionsService {
  constructor(
    private readonly database: Database,
    private readonly effects: DecisionEffects,
    private readonly notices: DecisionNotices,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /** The decision for which a link with this key was mailed; null if the key is invalid. */
  async byKey(key: string): Promise<DecisionRow | null> {
    const [row] = await this.database.rows<DecisionRow>(DECISION_BY_LINK, [hashSecret(key)]);
    return row ?? null;
  }

  /** The decision; null if it does not exist, is about another person's object, or only dismissed the reports. */
  async ofAuthor(decisionId: number, authorId: number): Promise<DecisionRow | null> {
    const [row] = await this.database.rows<DecisionRow>(DECISION, [decisionId]);
    return row && Number(row.author_id) === authorId && row.action !== 'dismiss' ? row : null;
  }

  /** The decision; null for an unknown id. */
  async byId(decisionId: number): Promise<DecisionRow | null> {
    const [row] = await this.database.rows<DecisionRow>(DECISION, [decisionId]);
    return row ?? null;
  }

  /**
   * The end of the author's ban; null if the ban is permanent. The ban may be longer or shorter than the ban of this
   * decision (MOD-46). If the author is no longer banned, returns the end that this decision set. Undefined if the
   * decision is not a ban.
   */
  async endOfBan({ action, days, author_id, decided_at }: DecisionRow): Promise<Date | null | undefined> {
    if (action !== 'ban') return undefined;
    // No decision has the id 0, so this decision's ban counts too.
    const [ban] = await this.database.rows<{ until: Date | null }>(OTHER_BAN, [author_id, 0, this.clock.now()]);
    if (ban) return ban.until;
    return endOfBan(decided_at, days);
  }

  /** Whether the author may object to this decision now, or the reason why not. */
  objectionPermission({ objection, decided_at }: DecisionRow): ObjectionPermission {
    if (objection !== null) return 'already_objected';
    return decided_at.getTime() + LIMITS.moderation.kept * 1000 > this.clock.now().getTime() ? 'yes' : 'too_late';
  }

  /**
   * Adds the author's objection and returns 'yes'. If the decision already has an objection with the same text, adds
   * nothing and also returns 'yes'. If the decision has an objection with another text or is too old, returns the
   * reason and adds nothing. Throws CannotDecide for an unknown decision. A decision that is too old cannot be
   * reversed, because a removed object is deleted when the time for objections ends.
   */
  async addObjection(decisionId: number, text: string): Promise<ObjectionPermission> {
    return this.database.transaction(async (tx) => {
      const [row] = await tx.rows<DecisionRow>(LOCK_DECISION, [decisionId]);
      if (!row) throw new CannotDecide('no_objection');
      if (row.objection === text) return 'yes';
      const permission = this.objectionPermission(row);
      if (permission === 'yes') await tx.rows(ADD_OBJECTION, [decisionId, text, this.clock.now()]);
      return permission;
    });
  }

  /** Objections without an answer, the oldest objection first. */
  async unanswered(limit: number): Promise<readonly DecisionRow[]> {
    return this.database.rows<DecisionRow>(OBJECTIONS, [limit]);
  }

  /** The reason why this moderator may not answer the objection; null if the moderator may answer. */
  async reasonNotToAnswer(row: DecisionRow, actorId: number): Promise<CannotDecideCode | null> {
    return this.findReasonNotToAnswer(this.database, row, actorId);
  }

  /**
   * Answers an objection. Granting it reverses the decision.
   * @throws CannotDecide if there is no unanswered objection, if the actor made the objection, or if the actor made the
   * decision and another moderator could answer
   */
  async answer(decisionId: number, { granted, reason, actorId }: Answer): Promise<DecisionRow> {
    return this.database.transaction(async (tx) => {
      await hideActor(tx);
      const [row] = await tx.rows<DecisionRow>(LOCK_DECISION, [decisionId]);
      if (!row || row.objection === null) throw new CannotDecide('no_objection');
      if (row.objection_granted !== null) throw new CannotDecide('answered');
      const blockedReason = await this.findReasonNotToAnswer(tx, row, actorId);
      if (blockedReason) throw new CannotDecide(blockedReason);
      const { author_id: author, subject_type: type } = row;
      if (granted) await this.effects.undo(tx, row);
      await tx.rows(ANSWER_OBJECTION, [decisionId, granted, reason, actorId, this.clock.now()]);
      if (author !== null)
        await this.notices.notifyAboutObjection(tx, Number(author), decisionId, {
          type,
          snapshot: row.snapshot ?? {},
          granted,
          reason,
        });
      await this.audit.record(tx, {
        actorId,
        action: `objection ${granted ? 'grant' : 'dismiss'}`,
        subject: `${type} ${row.subject_sent ?? row.subject_id}`,
        reason,
        details: { decision: row.action },
      });
      return { ...row, objection_granted: granted, objection_answer: reason };
    });
  }

  /** `actorId` is null for an answer from the command line. Such an answer is always allowed. */
  private async findReasonNotToAnswer(
    database: Queryable,
    { author_id: author, decided_by_id: decider }: DecisionRow,
    actorId: number | null,
  ): Promise<CannotDecideCode | null> {
    if (actorId === null) return null;
    if (Number(author) === actorId) return 'own';
    return Number(decider) === actorId && (await database.rows(HAS_OTHER_MODERATOR, [actorId, author])).length > 0
      ? 'own_decision'
      : null;
  }
}
