import { Logger } from '@nestjs/common';
import type { Database } from './database';
import { RenewedRows } from './renewed-rows';
import { statement } from './transaction';

const SECOND = 1000;
const LEASE = 15;
const RENEWAL = statement('renew_rows', 'UPDATE rows SET until = $2 WHERE id = ANY($1)');

describe('RenewedRows', () => {
  beforeEach(() => {
    jest.useFakeTimers();
    jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
  });
  afterEach(() => jest.useRealTimers());

  // RETRY-7
  it.each([0, 1.3, 2.6, 3.7, 4.9])(
    'tries to renew a row at least three times before it expires, even if the timer that renews all rows began %d seconds before the row was added',
    async (offset) => {
      const renewals: unknown[] = [];
      const rows = (_: unknown, [ids]: [string[]]) => {
        if (ids.includes('row')) renewals.push(Date.now());
        return Promise.reject(new Error('the database cannot be reached'));
      };
      const renewed = new RenewedRows({ outsideTransaction: { rows } } as unknown as Database, RENEWAL, LEASE);
      renewed.add('another');
      jest.advanceTimersByTime(offset * SECOND);
      renewed.add('row');
      await jest.advanceTimersByTimeAsync((LEASE - 1) * SECOND);
      renewed.stop();
      expect(renewals.length).toBeGreaterThanOrEqual(3);
    },
  );
});
