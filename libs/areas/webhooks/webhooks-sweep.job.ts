import { Injectable } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import { Database } from '#platform/database/database';
import { inBatches } from '#platform/jobs/batches';
import type { Job, JobContext, JobResult } from '#platform/jobs/job';
import { SWEEP_DELIVERIES } from './webhook.query';

const BATCH = 5_000;

/** Deletes finished messages after 30 days (HOOK-8). */
@Injectable()
export class WebhooksSweepJob implements Job {
  readonly name = 'webhooks-sweep';
  readonly every = 'day';

  constructor(private readonly database: Database) {}

  async run({ now, signal }: JobContext): Promise<JobResult> {
    const old = new Date(now.getTime() - LIMITS.webhooks.deliveries_kept * 1000);
    return {
      deliveries_deleted: await inBatches(
        BATCH,
        signal,
        async () => (await this.database.rows(SWEEP_DELIVERIES, [old, BATCH])).length,
      ),
    };
  }
}
