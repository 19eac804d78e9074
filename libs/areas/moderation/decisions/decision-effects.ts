import { Injectable } from '@nestjs/common';
import type { ReportSubject } from '#contract/vocabulary';
import type { Transaction } from '#platform/database/database';
import { Clock } from '#platform/time/clock';
import { UsersCommands } from '../../identity/users.commands';
import { UsersReader } from '../../identity/users.reader';
import { ContentCommands } from '../content.commands';
import { CannotDecide } from './cannot-decide';
import { OTHER_BAN, type DecisionAction, type DecisionRow } from './decision.query';

/** The object of a decision. */
interface DecisionSubject {
  readonly type: ReportSubject;
  readonly id: number;
  /** Null if the author's account was deleted. */
  readonly authorId: number | null;
  /** The id as sent in the report. */
  readonly sent: string;
}

/** The action on the object. */
interface Action {
  readonly decision: DecisionAction;
  readonly reason: string;
  /** Duration of a ban; null for a permanent ban and for other actions. */
  readonly days: number | null;
  readonly actorId: number | null;
}

const DAY_MS = 86_400_000;

/** The effects of a decision on the object and its author, and their reversal (MOD-42, MOD-52). */
@Injectable()
export class DecisionEffects {
  constructor(
    private readonly content: ContentCommands,
    private readonly reader: UsersReader,
    private readonly users: UsersCommands,
    private readonly clock: Clock,
  ) {}

  /**
   * Carries out the action. Returns the end of the author's ban, which may be a longer ban of another decision
   * (MOD-46); null for a permanent ban and for other actions.
   * @throws CannotDecide if the object to remove is a person or was deleted, or if the author to warn or ban no longer
   * has an account
   */
  async apply(
    tx: Transaction,
    subject: DecisionSubject,
    { decision, reason, days, actorId }: Action,
  ): Promise<Date | null> {
    if (decision === 'dismiss') return null;
    if (decision === 'remove') {
      await this.remove(tx, subject, reason, actorId);
      return null;
    }
    const author = subject.authorId === null ? null : await this.reader.lockById(tx, subject.authorId);
    if (!author) throw new CannotDecide('no_author');
    if (decision === 'warn') return null;
    return this.users.ban(tx, author, endOfBan(this.clock.now(), days));
  }

  /**
   * Restores the removed object, or lifts the author's ban. If an operator or another decision also bans the author,
   * the author remains banned until that ban ends. Has no effect in these cases: the decision was a warning, the object
   * or the author's account was deleted, the author is no longer banned, or the object was restored (also if it was
   * later removed again).
   */
  async undo(tx: Transaction, decision: DecisionRow): Promise<void> {
    const { id, action, subject_type, subject_id, author_id, decided_at } = decision;
    if (action === 'remove' && subject_type !== 'user')
      await this.content.restoreWithoutAudit(tx, { kind: subject_type, id: Number(subject_id) }, decided_at);
    if (action !== 'ban' || author_id === null) return;
    const author = await this.reader.lockById(tx, Number(author_id));
    if (!author?.banned) return;
    const [other] = await tx.rows<{ until: Date | null }>(OTHER_BAN, [author.id, id, this.clock.now()]);
    const lifted = await this.users.liftBan(tx, author);
    if (other) await this.users.ban(tx, lifted, other.until);
  }

  private async remove(
    tx: Transaction,
    { type, id, sent }: DecisionSubject,
    reason: string,
    actorId: number | null,
  ): Promise<void> {
    if (type === 'user') throw new CannotDecide('person');
    if (!(await this.content.removeWithoutAudit(tx, { kind: type, id }, reason, actorId)))
      throw new CannotDecide('gone', `${type} ${sent}`);
  }
}

/** The end of a ban of `days` days that begins at `start`; null for a permanent ban. */
export function endOfBan(start: Date, days: number | null): Date | null {
  return days === null ? null : new Date(start.getTime() + days * DAY_MS);
}
