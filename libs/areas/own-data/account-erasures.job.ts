import { Injectable } from '@nestjs/common';
import { Database, statement } from '#platform/database/database';
import { eachSeparately } from '#platform/jobs/each-separately';
import type { Job, JobContext, JobResult } from '#platform/jobs/job';
import { Eraser } from './erasure/eraser';

/** The accounts whose erasure is due at $1. */
const DUE_ERASURES = statement(
  'own_data_due_erasures',
  'SELECT user_id FROM account_erasures WHERE due_at <= $1 ORDER BY user_id',
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

  constructor(
    private readonly database: Database,
    private readonly eraser: Eraser,
  ) {}

  async run({ now, signal }: JobContext): Promise<JobResult> {
    let accounts_erased = 0;
    const due = await this.database.rows<{ user_id: string }>(DUE_ERASURES, [now]);
    await eachSeparately(due, signal, async ({ user_id }) => {
      const isErased = await this.eraser.erase(Number(user_id), {
        isStillWanted: async (tx) => (await tx.rows(LOCK_IF_DUE, [user_id, now])).length > 0,
      });
      if (isErased) accounts_erased++;
    });
    return { accounts_erased };
  }
}
