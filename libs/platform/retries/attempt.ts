import { hash } from 'node:crypto';
import { InProgressWait } from './in-progress-wait';

/** An attempt of an account to make a change with an idempotency key. */
export class Attempt {
  readonly progress = new InProgressWait();

  /**
   * @param holder the id of this request in its claim on the key (see `StoredResponses`). Only a request with long work
   * before its transaction has a claim; null for other requests
   */
  constructor(
    readonly account: number,
    readonly keyHash: string,
    readonly holder: string | null = null,
  ) {}

  /**
   * The number of the advisory lock in PostgreSQL for the account and the key. One transaction at a time holds the
   * lock.
   */
  get lock(): bigint {
    return hash('sha256', `${this.account} ${this.keyHash}`, 'buffer').readBigInt64BE();
  }
}
