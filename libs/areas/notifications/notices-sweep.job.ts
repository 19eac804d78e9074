import { LIMITS } from '#contract/limits';
import { olderThan, sweepJob } from '#platform/jobs/sweep-job';
import { SWEEP_NOTICES } from './notice.query';

/** Deletes notices 90 days after their creation, whether they were read or not (NOTE-5). */
export const NoticesSweepJob = sweepJob({
  name: 'notices-sweep',
  every: 'day',
  size: 5_000,
  steps: [{ counts: 'notices_deleted', batch: olderThan(LIMITS.notices.kept, SWEEP_NOTICES) }],
});
