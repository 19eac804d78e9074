import { Injectable } from '@nestjs/common';
import type { ReportSubject } from '#contract/vocabulary';
import { Mistake } from '#platform/config/mistake';
import type { Transaction } from '#platform/database/database';
import { UsersCommands } from '../../identity/users.commands';
import { UsersReader } from '../../identity/users.reader';
import { ContentCommands } from '../content.commands';

/** What is decided about. */
interface DecidedThing {
  readonly type: ReportSubject;
  readonly id: number;
  /** Null: the account is gone. */
  readonly authorId: number | null;
  /** How it was reported. */
  readonly sent: string;
}

/** What a decision does to the thing and its author (MOD-42). */
@Injectable()
export class DecidedThings {
  constructor(
    private readonly content: ContentCommands,
    private readonly reader: UsersReader,
    private readonly users: UsersCommands,
  ) {}

  /** @throws Mistake for a person to be removed, what is deleted to be removed, and where nobody is left to be warned or banned */
  async act(tx: Transaction, decision: 'dismiss' | 'remove' | 'warn' | 'ban', thing: DecidedThing, reason: string, actorId: number | null): Promise<void> {
    if (decision === 'dismiss') return;
    if (decision === 'remove') return this.remove(tx, thing, reason, actorId);
    const author = thing.authorId === null ? null : await this.reader.lockById(tx, thing.authorId);
    if (!author) throw new Mistake('Its author has no account any more: dismiss or remove it.');
    if (decision === 'ban') await this.users.update(tx, author, { banned: true });
  }

  private async remove(tx: Transaction, { type, id, sent }: DecidedThing, reason: string, actorId: number | null): Promise<void> {
    if (type === 'user') throw new Mistake('A person cannot be removed: ban them.');
    if (!(await this.content.takeOut(tx, { kind: type, id }, reason, actorId))) throw new Mistake(`There is no ${type} ${sent} any more: dismiss it, or warn or ban its author.`);
  }
}
