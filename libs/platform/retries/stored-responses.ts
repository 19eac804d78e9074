import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import { Database } from '../database/database';
import type { UnitOfWork } from '../database/unit-of-work';
import { Refusal } from '../http/refusal';
import { Clock } from '../time/clock';
import { AnswerSealer } from './answer-sealer';
import { Attempt } from './attempt';
import {
  CLAIM_REQUEST,
  FREE_CLAIM,
  INSERT_STORED_RESPONSE,
  HAS_NO_OPEN_TRANSACTION,
  ONE_RESPONSE_PER_KEY,
  SELECT_STORED_RESPONSE,
  type Claim,
} from './stored-responses.query';
import { inProgress } from './in-progress-wait';
import { Leases } from './leases';

/** A successful response, with the fingerprint of the request that got it. */
export interface StoredResponse {
  readonly fingerprint: string;
  readonly status: number;
  readonly type: string | null;
  readonly location: string | null;
  readonly body: string;
}

/** A change in progress with an `Idempotency-Key`. */
export interface Retryable {
  readonly attempt: Attempt;
  readonly unit: UnitOfWork;
}

/**
 * Stores the responses of changes with an `Idempotency-Key`, and the claims (see `Leases`) of changes in progress
 * (RETRY-3 to RETRY-8, docs/adr/0295).
 */
@Injectable()
export class StoredResponses {
  constructor(
    private readonly database: Database,
    private readonly sealer: AnswerSealer,
    private readonly leases: Leases,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns the stored response of the key, or a new attempt with a claim, which other requests can see. This method is
   * for requests with long work before their transaction.
   *
   * @throws Refusal 409 `request_in_progress` if another attempt is still in progress after a second
   */
  async claim(account: number, keyHash: string): Promise<StoredResponse | Attempt> {
    const attempt = new Attempt(account, keyHash, randomUUID());
    for (;;) {
      const [claim] = await this.database.outsideTransaction.rows<Claim>(CLAIM_REQUEST, [
        account,
        keyHash,
        attempt.holder,
        LIMITS.retries.lease,
      ]);
      if (claim?.answer) return this.unseal(claim.answer);
      if (claim?.claimed) {
        this.leases.hold(attempt.holder as string);
        return attempt;
      }
      await attempt.progress.wait();
    }
  }

  /** Prepares the encryption of responses. Must be called before a response is stored. */
  prepare(): Promise<void> {
    return this.sealer.prepare();
  }

  /**
   * Returns the unit of work for the change. The change is made in one transaction. This transaction begins only after
   * all other transactions with this account and key have ended, on all servers.
   */
  unit(attempt: Attempt): UnitOfWork {
    return this.database.unit({
      lock: attempt.lock,
      whenHeldByAnother: async () => {
        await attempt.progress.wait();
        // Another request has made the change. The calling code (safe-retries.ts, form-keys.ts) catches this error and
        // repeats the stored response.
        if (await this.find(attempt)) throw inProgress();
      },
    });
  }

  /**
   * Commits the unit and stores the response in the same transaction. If another request has already made the change,
   * this method changes nothing and returns false.
   */
  async commit(unit: UnitOfWork, { account, keyHash }: Attempt, answer: StoredResponse): Promise<boolean> {
    try {
      await unit.commitWith(INSERT_STORED_RESPONSE, [
        account,
        keyHash,
        this.clock.now(),
        await this.sealer.seal(JSON.stringify(answer)),
      ]);
      return true;
    } catch (error) {
      if ((error as { constraint?: unknown } | null)?.constraint === ONE_RESPONSE_PER_KEY) return false;
      throw error;
    }
  }

  /**
   * Waits until no open transaction could still store a response for this account and key. Then returns the stored
   * response; null if there is none.
   *
   * @throws Refusal 409 `request_in_progress` if the wait would take more than a second
   */
  async findWhenSettled(attempt: Attempt): Promise<StoredResponse | null> {
    for (;;) {
      const [row] = await this.database.outsideTransaction.rows<{ is_free: boolean }>(HAS_NO_OPEN_TRANSACTION, [
        attempt.lock,
      ]);
      if (row?.is_free) return this.find(attempt);
      await attempt.progress.wait();
    }
  }

  /** Returns the stored response; null if there is none. */
  async find({ account, keyHash }: Attempt): Promise<StoredResponse | null> {
    const [row] = await this.database.outsideTransaction.rows<{ answer: string }>(SELECT_STORED_RESPONSE, [
      account,
      keyHash,
    ]);
    return row ? this.unseal(row.answer) : null;
  }

  /**
   * Deletes the claim of the attempt, if it has one. If the deletion fails, the claim expires, because it is no longer
   * renewed.
   */
  async end({ account, keyHash, holder }: Attempt): Promise<void> {
    if (holder === null) return;
    this.leases.release(holder);
    await this.database.outsideTransaction.rows(FREE_CLAIM, [account, keyHash, holder]);
  }

  async unseal(sealed: string): Promise<StoredResponse> {
    const text = await this.sealer.open(sealed);
    // The change was made, but the stored response is encrypted with a lost key, so the server cannot check whether
    // this request repeats the first request. Therefore this request is refused like a different request with the same
    // key.
    if (text === null) throw new Refusal('idempotency_key_reused');
    return JSON.parse(text) as StoredResponse;
  }
}
