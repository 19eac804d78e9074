import { Injectable } from '@nestjs/common';
import { Database, statement } from '#platform/database/database';
import { inBatches } from '#platform/jobs/batches';
import type { Job, JobContext, JobResult } from '#platform/jobs/job';

/** Rows a transaction changes at most. */
const BATCH = 500;

/** The trigger `users_fold` writes the value. Accounts that another transaction is changing are left for the next run. */
const FOLD_NAMES = statement(
  'identity_fold_names',
  `UPDATE users SET folded = '' WHERE id IN (
     SELECT id FROM users WHERE folded IS NULL ORDER BY id LIMIT ${BATCH} FOR NO KEY UPDATE SKIP LOCKED) RETURNING 1`,
);

/** Makes accounts searchable that are older than the search for people. Has nothing to do once each of them is. */
@Injectable()
export class NamesSweepJob implements Job {
  readonly name = 'names-sweep';
  readonly every = 'minute';

  constructor(private readonly database: Database) {}

  async run({ signal }: JobContext): Promise<JobResult> {
    return {
      folded: await inBatches(BATCH, signal, () =>
        this.database.transaction(async (tx) => (await tx.rows(FOLD_NAMES)).length),
      ),
    };
  }
}
