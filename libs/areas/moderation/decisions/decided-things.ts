import { Injectable } from '@nestjs/common';
import type { ReportSubject } from '#contract/vocabulary';
import type { Transaction } from '#platform/database/database';
import { Clock } from '#platform/time/clock';
import { UsersCommands } from '../../identity/users.commands';
import { UsersReader } from '../../identity/users.reader';
import { ContentCommands } from '../content.commands';
import { CannotDecide } from './cannot-decide';
import { OTHER_BAN, type DecisionAction, type DecisionRow } from './decision.query';

/** What is decided about. */
interface DecidedThing {
  readonly type: ReportSubject;
  readonly id: number;
  /** Null: the account is gone. */
  readonly authorId: number | null;
  /** How it was reported. */
  readonly sent: string;
}

/** What is done to it. */
interface Act {
  readonly decision: DecisionAction;
  readonly reason: string;
  /** Of a ban; null: for good. */
  readonly days: number | null;
  readonly actorId: number | null;
}

const DAY_MS = 86_400_000;

/** What a decision does to the thing and its author, and how that is undone (MOD-42, MOD-52). */
@Injectable()
export class DecidedThings {
  constructor(
    private readonly content: ContentCommands,
    private readonly reader: UsersReader,
    private readonly users: UsersCommands,
    private readonly clock: Clock,
  ) {}

  /**
   * Until when its author is banned; null where they are not, or for good.
   * @throws CannotDecide for a person to be removed, what is deleted to be removed, and where nobody is left to be warned or banned
   */
  async act(tx: Transaction, thing: DecidedThing, { decision, reason, days, actorId }: Act): Promise<Date | null> {
    if (decision === 'dismiss') return null;
    if (decision === 'remove') {
      await this.remove(tx, thing, reason, actorId);
      return null;
    }
    const author = thing.authorId === null ? null : await this.reader.lockById(tx, thing.authorId);
    if (!author) throw new CannotDecide('no_author');
    const until = days === null ? null : new Date(this.clock.now().getTime() + days * DAY_MS);
    if (decision === 'ban') await this.users.ban(tx, author, until);
    return until;
  }

  /** Brings back what was removed and unbans who was banned, but for what other decisions hold; nothing where it is gone meanwhile. */
  async undo(tx: Transaction, { id, action, subject_type, subject_id, author_id }: DecisionRow): Promise<void> {
    if (action === 'remove' && subject_type !== 'user')
      await this.content.bringBack(tx, { kind: subject_type, id: Number(subject_id) });
    if (action !== 'ban' || author_id === null) return;
    const author = await this.reader.lockById(tx, Number(author_id));
    if (!author?.banned) return;
    const [other] = await tx.rows<{ until: Date | null }>(OTHER_BAN, [author.id, id, this.clock.now()]);
    await this.users.update(tx, author, { banned: false });
    if (other) await this.users.ban(tx, author, other.until);
  }

  private async remove(
    tx: Transaction,
    { type, id, sent }: DecidedThing,
    reason: string,
    actorId: number | null,
  ): Promise<void> {
    if (type === 'user') throw new CannotDecide('person');
    if (!(await this.content.takeOut(tx, { kind: type, id }, reason, actorId)))
      throw new CannotDecide('gone', `${type} ${sent}`);
  }
}
