import { Injectable } from '@nestjs/common';
import { Database, type Queryable, type Transaction } from '#platform/database/database';
import { NOTICE_KINDS } from '../notifications/notice-messages.reader';
import { CHOOSE_KINDS, STOPPED_KINDS } from './push.query';

/** The kinds of notices that an account gets as push messages (PUSH-5): all kinds that the account has not stopped. */
@Injectable()
export class PushChoicesCommands {
  constructor(private readonly database: Database) {}

  async stoppedKindsOf(userId: number, database: Queryable = this.database): Promise<readonly string[]> {
    const [row] = await database.rows<{ stopped: string[] }>(STOPPED_KINDS, [userId]);
    return row?.stopped ?? [];
  }

  /** Stores which kinds of notices are pushed from now on. Push messages of all other kinds are stopped. */
  async choose(tx: Transaction, userId: number, chosenKinds: readonly string[]): Promise<void> {
    await tx.rows(CHOOSE_KINDS, [userId, NOTICE_KINDS.filter((kind) => !chosenKinds.includes(kind))]);
  }
}
