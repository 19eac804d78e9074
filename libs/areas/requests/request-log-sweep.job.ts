import { Injectable } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import { Database } from '#platform/database/database';
import type { Job, JobContext, JobResult } from '#platform/jobs/job';
import { TimePartitions } from '#platform/jobs/time-partitions';

const DAYS = new TimePartitions({ table: 'request_log', periodMs: 86_400_000, originMs: 0 });
/** Number of future days for which partitions are prepared. */
const DAYS_AHEAD = 2;

/**
 * Creates partitions of the request log for today and the coming days. Drops partitions whose day ended at least a week
 * ago, and deletes rows of the default partition that are older than a week (LOG-7).
 */
@Injectable()
export class RequestLogSweepJob implements Job {
  readonly name = 'request-log-sweep';
  readonly every = 'hour';

  constructor(private readonly database: Database) {}

  async run({ now, signal }: JobContext): Promise<JobResult> {
    const keptSince = new Date(now.getTime() - LIMITS.request_log.seconds * 1000);
    const prepared = await DAYS.prepare(this.database, now, DAYS_AHEAD, signal);
    const { dropped, deletedRows } = await DAYS.drop(this.database, keptSince, signal);
    return { days_prepared: prepared, days_dropped: dropped, requests_forgotten: deletedRows };
  }
}
