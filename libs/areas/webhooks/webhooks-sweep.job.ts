import { LIMITS } from '#contract/limits';
import { olderThan, sweepJob } from '#platform/jobs/sweep-job';
import { SWEEP_DELIVERIES } from './webhook.query';

/** Deletes the messages that were created more than 30 days ago and are not pending (HOOK-8). */
export const WebhooksSweepJob = sweepJob({
  name: 'webhooks-sweep',
  every: 'day',
  size: 5_000,
  steps: [{ counts: 'deliveries_deleted', batch: olderThan(LIMITS.webhooks.deliveries_kept, SWEEP_DELIVERIES) }],
});
