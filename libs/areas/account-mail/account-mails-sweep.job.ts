import { LIMITS } from '#contract/limits';
import { olderThan, sweepJob } from '#platform/jobs/sweep-job';
import { DELETE_OLD_ACCOUNT_MAILS } from './account-mail.query';

/**
 * Deletes the rows of mails about accounts three days after the mails were requested. By then, the links have expired
 * (MAIL-10).
 */
export const AccountMailsSweepJob = sweepJob({
  name: 'account-mails-sweep',
  every: 'hour',
  size: 5_000,
  steps: [{ counts: 'account_mails_deleted', batch: olderThan(LIMITS.account_mail.kept, DELETE_OLD_ACCOUNT_MAILS) }],
});
