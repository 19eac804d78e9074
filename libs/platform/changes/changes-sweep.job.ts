import { Injectable } from '@nestjs/common';
import { Settings } from '../config/settings';
import { Database } from '../database/database';
import type { Job, JobContext, JobResult } from '../jobs/job';
import { TimePartitions } from '../jobs/time-partitions';

/** Partitions by week. A week begins on Monday, 00:00 UTC; `originMs` is Monday, 5 January 1970. */
const WEEKS = new TimePartitions({ table: 'changes', periodMs: 7 * 86_400_000, originMs: 4 * 86_400_000 });
/** Number of future weeks for which partitions are created in advance. */
const WEEKS_AHEAD = 4;

/**
 * Creates partitions for this week and the coming weeks. Drops partitions whose week ended before the retention period
 * began, and deletes rows of the default partition that are older than this period (CHG-13).
 */
@Injectable()
export class ChangesSweepJob implements Job {
  readonly name = 'changes-sweep';
  readonly every = 'hour';

  constructor(
    private readonly database: Database,
    private readonly settings: Settings,
  ) {}

  async run({ now, signal }: JobContext): Promise<JobResult> {
    const keepFrom = new Date(now.getTime() - this.settings.changesKeepSeconds * 1000);
    const prepared = await WEEKS.prepare(this.database, now, WEEKS_AHEAD, signal);
    const { dropped, deletedRows } = await WEEKS.drop(this.database, keepFrom, signal);
    return { weeks_prepared: prepared, weeks_dropped: dropped, changes_forgotten: deletedRows };
  }
}
