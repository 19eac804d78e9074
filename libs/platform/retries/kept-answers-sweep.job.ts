import { Injectable } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import { Database, statement } from '../database/database';
import { inBatches } from '../jobs/batches';
import type { Job, JobContext, JobResult } from '../jobs/job';

/**
 * Accounts with more than $1 stored responses. The job does not delete the $1 latest responses of an account; `until`
 * is the time of the next older response, the latest that the job may delete. This time is a text, because a Date would
 * lose the microseconds.
 */
const ACCOUNTS_WITH_TOO_MANY_ANSWERS = statement(
  'retries_accounts_with_too_many_answers',
  `SELECT account_id, (SELECT kept_at::text FROM kept_answers k WHERE k.account_id = many.account_id ORDER BY kept_at DESC, key_hash LIMIT 1 OFFSET $1) AS until
     FROM (SELECT account_id FROM kept_answers GROUP BY account_id HAVING count(*) > $1) many ORDER BY account_id`,
);
const DELETE_OLD_ANSWERS = statement(
  'retries_delete_old_answers',
  `DELETE FROM kept_answers WHERE (account_id, key_hash) IN (
     SELECT account_id, key_hash FROM kept_answers WHERE account_id = $1 AND kept_at <= $2::timestamptz AND kept_at < $3 LIMIT $4) RETURNING 1`,
);
/**
 * Deletes claims (see `StoredResponses`) that expired more than an hour ago: the server of such a claim died, and no
 * other request has taken the claim over.
 */
const DELETE_EXPIRED_CLAIMS = statement(
  'retries_delete_expired_claims',
  "DELETE FROM request_claims WHERE until < clock_timestamp() - interval '1 hour' RETURNING 1",
);
const BATCH = 10_000;

/**
 * Deletes the stored responses that are older than a day and not among the latest of their account (RETRY-12), and old
 * claims.
 */
@Injectable()
export class KeptAnswersSweepJob implements Job {
  readonly name = 'kept-answers-sweep';
  readonly every = 'hour';

  constructor(private readonly database: Database) {}

  async run({ now, signal }: JobContext): Promise<JobResult> {
    const old = new Date(now.getTime() - LIMITS.retries.kept * 1000);
    let deleted = 0;
    for (const { account_id, until } of await this.database.rows<{ account_id: string; until: string }>(
      ACCOUNTS_WITH_TOO_MANY_ANSWERS,
      [LIMITS.retries.kept_per_account],
    )) {
      deleted += await inBatches(
        BATCH,
        signal,
        async () =>
          (await this.database.outsideTransaction.rows(DELETE_OLD_ANSWERS, [account_id, until, old, BATCH])).length,
      );
    }
    await this.database.outsideTransaction.rows(DELETE_EXPIRED_CLAIMS);
    return { answers_forgotten: deleted };
  }
}
