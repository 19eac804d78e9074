import { LIMITS } from '#contract/limits';
import { olderThan, sweepJob } from '#platform/jobs/sweep-job';
import { Signals } from '#platform/signals/signals';
import { sweepAppTokens } from '../identity/app-tokens.commands';
import { FORGET_REGISTRATIONS } from './app.query';
import { sweepUnusedApps } from './app-removal.commands';
import { SWEEP_CODES, SWEEP_INTERACTIONS, SWEEP_USED } from './code.query';
import { RECORD_USE_OF_EXPIRED, SWEEP_GRANTS, unusedSince } from './grant.query';

const { apps } = LIMITS;
/** A grant that never got a token is deleted after this time. */
const ABANDONED_AFTER_SECONDS = 3600;

/**
 * Deletes (APP-23):
 * - expired codes, tokens and interactions,
 * - codes and refresh tokens that were used long ago,
 * - unused grants, and old counts of registrations,
 * - apps that no developer registered on the pages and that have no grant, if they are older than a day and not
 *   suspended.
 *
 * Before a token is deleted, its last use is recorded at its grant (APP-15).
 */
export const AppsSweepJob = sweepJob({
  name: 'apps-sweep',
  every: 'hour',
  size: 5_000,
  needs: Signals,
  steps: [
    {
      counts: 'grants_ended',
      batch: (tx, { now, size }) => {
        const abandonedBefore = new Date(now.getTime() - ABANDONED_AFTER_SECONDS * 1000);
        return tx.rows(SWEEP_GRANTS, [unusedSince(now), size, abandonedBefore]);
      },
    },
    {
      counts: 'apps_deleted',
      batch: (tx, { now, size }, signals) =>
        sweepUnusedApps(tx, signals, new Date(now.getTime() - apps.registration_unused * 1000), size),
    },
    // A device that polls with an expired code must get `expired_token`, so expired codes are stored for a while.
    { counts: 'codes_deleted', batch: olderThan(apps.device_code, SWEEP_CODES) },
    { counts: 'codes_deleted', batch: olderThan(apps.used_refresh_kept, SWEEP_USED) },
    {
      counts: 'tokens_deleted',
      batch: async (tx, { now, size }) => {
        await tx.rows(RECORD_USE_OF_EXPIRED, [now, size]);
        return sweepAppTokens(tx, now, size);
      },
    },
    { batch: olderThan(0, SWEEP_INTERACTIONS) },
    { batch: olderThan(apps.registrations.window, FORGET_REGISTRATIONS) },
  ],
});
