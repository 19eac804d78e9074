import { hash } from 'node:crypto';
import { Patience } from './patience';

/** One request that makes a change for an account and a key. */
export class Attempt {
  readonly patience = new Patience();

  /** @param holder of a claim, for work that is long before its transaction begins; null without one */
  constructor(
    readonly account: number,
    readonly keyHash: string,
    readonly holder: string | null = null,
  ) {}

  /** PostgreSQL's advisory lock for the account and the key: a transaction with it is the only one of them. */
  get lock(): bigint {
    return hash('sha256', `${this.account} ${this.keyHash}`, 'buffer').readBigInt64BE();
  }
}
