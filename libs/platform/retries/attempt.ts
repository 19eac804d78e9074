import { hash } from 'node:crypto';
import { Patience } from './patience';

/** A change of an account with an idempotency key. */
export class Attempt {
  readonly patience = new Patience();

  /** @param holder of a claim, for requests with long work before their transaction; null without one */
  constructor(
    readonly account: number,
    readonly keyHash: string,
    readonly holder: string | null = null,
  ) {}

  /** PostgreSQL's advisory lock for the account and the key: at most one transaction holds it. */
  get lock(): bigint {
    return hash('sha256', `${this.account} ${this.keyHash}`, 'buffer').readBigInt64BE();
  }
}
