import { Injectable } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import { Database } from '#platform/database/database';
import { inBatches } from '#platform/jobs/batches';
import type { Job, JobContext, JobResult } from '#platform/jobs/job';
import { DELETE_LAPSED_MAIL_LINKS } from './account-mail.query';

const BATCH = 5_000;

/** Deletes mails about accounts long after their links have expired (MAIL-10). */
@Injectable()
export class AccountMailsSweepJob implements Job {
  readonly name = 'account-mails-sweep';
  readonly every = 'hour';

  constructor(private readonly database: Database) {}

  async run({ now, signal }: JobContext): Promise<JobResult> {
    const old = new Date(now.getTime() - LIMITS.account_mail.kept * 1000);
    return {
      account_mails_deleted: await inBatches(
        BATCH,
        signal,
        async () => (await this.database.rows(DELETE_LAPSED_MAIL_LINKS, [old, BATCH])).length,
      ),
    };
  }
}
