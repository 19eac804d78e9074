import { Logger } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import type { Database } from '../database/database';
import { Leases } from './leases';

const SECOND = 1000;

describe('Leases', () => {
  beforeEach(() => {
    jest.useFakeTimers();
    jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
  });
  afterEach(() => jest.useRealTimers());

  // RETRY-7
  it.each([0, 1.3, 2.6, 3.7, 4.9])(
    'tries to renew a claim at least three times before it expires, even if the timer that renews all claims began %d seconds before the claim',
    async (offset) => {
      const renewals: unknown[] = [];
      const rows = (_: unknown, [holders]: [string[]]) => {
        if (holders.includes('claim')) renewals.push(Date.now());
        return Promise.reject(new Error('the database cannot be reached'));
      };
      const leases = new Leases({ outsideTransaction: { rows } } as unknown as Database);
      leases.hold('another');
      jest.advanceTimersByTime(offset * SECOND);
      leases.hold('claim');
      await jest.advanceTimersByTimeAsync((LIMITS.retries.lease - 1) * SECOND);
      leases.onApplicationShutdown();
      expect(renewals.length).toBeGreaterThanOrEqual(3);
    },
  );
});
