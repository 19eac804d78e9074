import { Injectable, Logger } from '@nestjs/common';
import { Database, statement } from '#platform/database/database';
import type { Job, JobContext, JobResult } from '#platform/jobs/job';
import { Eraser } from './erasure/eraser';

/** The account with the lowest id above $2 whose erasure is due at $1. */
const NEXT_DUE_ERASURE = statement(
  'own_data_next_due_erasure',
  'SELECT user_id FROM account_erasures WHERE due_at <= $1 AND user_id > $2 ORDER BY user_id LIMIT 1',
);
/**
 * Locks the row of the erasure request of account $1 if the erasure is due at $2. Returns no row if the request was
 * withdrawn before this statement. A later withdrawal waits until the erasure has ended, and has an effect only if the
 * erasure failed.
 */
const LOCK_IF_DUE = statement(
  'own_data_lock_if_due',
  'SELECT 1 AS due FROM account_erasures WHERE user_id = $1 AND due_at <= $2 FOR UPDATE',
);

/** Erases accounts whose waiting period has ended, each in its own transaction (DATA-9). */
@Injectable()
export class AccountErasuresJob implements Job {
  readonly name = 'account-erasures';
  readonly every = 'hour';
  private readonly log = new Logger(AccountErasuresJob.name);

  constructor(
    private readonly database: Database,
    private readonly eraser: Eraser,
  ) {}

  async run({ now, signal }: JobContext): Promise<JobResult> {
    let accounts_erased = 0;
    for (let last = '0'; ;) {
      signal.throwIfAborted();
      const [due] = await this.database.rows<{ user_id: string }>(NEXT_DUE_ERASURE, [now, last]);
      if (!due) return { accounts_erased };
      if (await this.erase(Number(due.user_id), now)) accounts_erased++;
      last = due.user_id;
    }
  }

  /**
   * Returns whether the account was erased. If an erasure fails, the other accounts are still erased, and the next run
   * retries the failed erasure.
   */
  private async erase(userId: number, now: Date): Promise<boolean> {
    try {
      return await this.eraser.erase(userId, {
        isStillWanted: async (tx) => (await tx.rows(LOCK_IF_DUE, [userId, now])).length > 0,
      });
    } catch (error) {
      this.log.error(error);
      return false;
    }
  }
}
