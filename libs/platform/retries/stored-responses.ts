import { randomUUID } from 'node:crypto';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import { Database } from '../database/database';
import { RenewedRows } from '../database/renewed-rows';
import type { UnitOfWork } from '../database/unit-of-work';
import { Refusal } from '../http/refusal';
import { Clock } from '../time/clock';
import { AnswerSealer } from './answer-sealer';
import { Attempt } from './attempt';
import { inProgress } from './in-progress-wait';
import type { StoredResponse } from './replay';
import {
  CLAIM_REQUEST,
  FREE_CLAIM,
  INSERT_STORED_RESPONSE,
  HAS_NO_OPEN_TRANSACTION,
  ONE_RESPONSE_PER_KEY,
  RENEW_CLAIMS,
  SELECT_STORED_RESPONSE,
  type Claim,
} from './stored-responses.query';

/** A change in progress with an idempotency key. */
export interface Retryable {
  readonly attempt: Attempt;
  readonly unit: UnitOfWork;
}

/**
 * Ensures that a change with an idempotency key is made only once (RETRY-3 to RETRY-8, docs/adr/0295): `begin` the
 * change, make it in its unit of work, and then call `finish`, or `afterError` if the change failed. `finish` stores
 * the response in the transaction of the change.
 *
 * A claim is a row of `request_claims`. From this row, all servers know that a request with long work before its
 * transaction is in progress. A claim is renewed until its request ends, because a request that converts a video can
 * take longer than the lifetime of a claim.
 */
@Injectable()
export class StoredResponses implements OnApplicationShutdown {
  private readonly log = new Logger(StoredResponses.name);
  private readonly claims: RenewedRows;

  constructor(
    private readonly database: Database,
    private readonly sealer: AnswerSealer,
    private readonly clock: Clock,
  ) {
    this.claims = new RenewedRows(database, RENEW_CLAIMS, LIMITS.retries.lease);
  }

  onApplicationShutdown(): void {
    this.claims.stop();
  }

  /**
   * Begins a change for whose key no response was found. All changes in the database that use the returned unit are one
   * transaction. This transaction begins only after all other transactions with this account and key have ended, on all
   * servers.
   *
   * @param hasLongWork whether the request does long work before its transaction, such as converting a video. Then the
   * request gets a claim
   *
   * @returns the stored response if another request has made the change while this request waited for its claim
   *
   * @throws Refusal 409 `request_in_progress` if another request still has the claim after a second
   */
  async begin(account: number, keyHash: string, hasLongWork: boolean): Promise<StoredResponse | Retryable> {
    // The encryption of the response is prepared before the transaction (see `AnswerSealer`).
    await this.sealer.prepare();
    const attempt = new Attempt(account, keyHash, hasLongWork ? randomUUID() : null);
    const stored = hasLongWork ? await this.claim(attempt) : null;
    return stored ?? { attempt, unit: this.unit(attempt) };
  }

  /**
   * Commits the change, stores its response in the same transaction, and returns null. If another request has already
   * made the change, rolls back this change and returns the response of the other request.
   *
   * @throws Refusal 409 `request_in_progress` if another request with the key is in progress
   */
  async finish({ attempt, unit }: Retryable, response: StoredResponse): Promise<StoredResponse | null> {
    const { account, keyHash } = attempt;
    try {
      const sealed = await this.sealer.seal(JSON.stringify(response));
      await unit.commitWith(INSERT_STORED_RESPONSE, [account, keyHash, this.clock.now(), sealed]);
      return null;
    } catch (error) {
      // A refusal, or a second response for the key: another request makes the change, or has made it.
      const { constraint } = error as { readonly constraint?: unknown };
      if (!(error instanceof Refusal) && constraint !== ONE_RESPONSE_PER_KEY) throw error;
    } finally {
      await this.release(attempt);
    }
    const other = await this.find(attempt);
    if (!other) throw inProgress();
    return other;
  }

  /**
   * Rolls back the change after an error. If another request with the key is making the change, or has just made it,
   * returns the response of that request, which replaces the error; otherwise null.
   *
   * @throws Refusal 409 `request_in_progress` if the other request is still in progress after a second
   */
  async afterError({ attempt, unit }: Retryable): Promise<StoredResponse | null> {
    try {
      await unit.rollback();
      return await this.findWhenSettled(attempt);
    } catch (error) {
      if (error instanceof Refusal) throw error;
      this.log.warn({ err: error }, 'it is unknown whether another request has made the change');
      return null;
    } finally {
      await this.release(attempt);
    }
  }

  /** Returns the stored response; null if there is none. */
  async find({ account, keyHash }: Pick<Attempt, 'account' | 'keyHash'>): Promise<StoredResponse | null> {
    const [row] = await this.database.outsideTransaction.rows<{ answer: string }>(SELECT_STORED_RESPONSE, [
      account,
      keyHash,
    ]);
    return row ? this.unseal(row.answer) : null;
  }

  async unseal(sealed: string): Promise<StoredResponse> {
    const text = await this.sealer.open(sealed);
    // The change was made, but the stored response is encrypted with a lost key, so the server cannot check whether
    // this request repeats the first request. Therefore this request is refused like a different request with the same
    // key.
    if (text === null) throw new Refusal('idempotency_key_reused');
    return JSON.parse(text) as StoredResponse;
  }

  /** Claims the key. Returns null, or the stored response of the key. */
  private async claim({ account, keyHash, holder, progress }: Attempt): Promise<StoredResponse | null> {
    for (;;) {
      const [claim] = await this.database.outsideTransaction.rows<Claim>(CLAIM_REQUEST, [
        account,
        keyHash,
        holder,
        LIMITS.retries.lease,
      ]);
      if (claim?.answer) return this.unseal(claim.answer);
      if (claim?.claimed) {
        this.claims.add(holder as string);
        return null;
      }
      await progress.wait();
    }
  }

  private unit(attempt: Attempt): UnitOfWork {
    return this.database.unit({
      lock: attempt.lock,
      whenHeldByAnother: async () => {
        await attempt.progress.wait();
        // Another request has made the change. `finish` or `afterError` returns its response.
        if (await this.find(attempt)) throw inProgress();
      },
    });
  }

  /**
   * Waits until no open transaction could still store a response for this account and key. Then returns the stored
   * response; null if there is none.
   */
  private async findWhenSettled(attempt: Attempt): Promise<StoredResponse | null> {
    for (;;) {
      const [row] = await this.database.outsideTransaction.rows<{ is_free: boolean }>(HAS_NO_OPEN_TRANSACTION, [
        attempt.lock,
      ]);
      if (row?.is_free) return this.find(attempt);
      await attempt.progress.wait();
    }
  }

  /**
   * Deletes the claim of the attempt, if it has one. If the deletion fails, the claim expires, because it is no longer
   * renewed.
   */
  private async release({ account, keyHash, holder }: Attempt): Promise<void> {
    if (holder === null) return;
    this.claims.delete(holder);
    await this.database.outsideTransaction
      .rows(FREE_CLAIM, [account, keyHash, holder])
      .catch((error: unknown) => this.log.warn({ err: error }, 'a claim was not freed'));
  }
}
