import { Injectable } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import { Database } from '#platform/database/database';
import { inBatches } from '#platform/jobs/batches';
import type { Job, JobContext, JobResult } from '#platform/jobs/job';
import { SWEEP_NOTICES } from './notice.query';

const BATCH = 5_000;

/** Deletes notices after 90 days, read or not (NOTE-5). */
@Injectable()
export class NoticesSweepJob implements Job {
  readonly name = 'notices-sweep';
  readonly every = 'day';

  constructor(private readonly database: Database) {}

  async run({ now, signal }: JobContext): Promise<JobResult> {
    const old = new Date(now.getTime() - LIMITS.notices.kept * 1000);
    return {
      notices_deleted: await inBatches(
        BATCH,
        signal,
        async () => (await this.database.rows(SWEEP_NOTICES, [old, BATCH])).length,
      ),
    };
  }
}
