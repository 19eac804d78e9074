import { LIMITS } from '#contract/limits';
import { olderThan, sweepJob } from '#platform/jobs/sweep-job';
import { SWEEP_MESSAGES } from './push.query';

/**
 * Deletes messages that are still unsent after 8 days. Messages reach this age only if the subscription has ended or
 * the account stays banned (PUSH-7).
 */
export const PushSweepJob = sweepJob({
  name: 'push-sweep',
  every: 'day',
  size: 5_000,
  steps: [{ counts: 'messages_deleted', batch: olderThan(LIMITS.push.messages_kept, SWEEP_MESSAGES) }],
});
