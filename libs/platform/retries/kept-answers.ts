import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import { Database, type Transaction } from '../database/database';
import { Refusal } from '../http/refusal';
import { Clock } from '../time/clock';
import { AnswerSealer } from './answer-sealer';
import { CLAIM_REQUEST, FREE_CLAIM, INSERT_KEPT_ANSWER, SELECT_KEPT_ANSWER, type Claim } from './kept-answers.query';
import { Leases } from './leases';

/** A successful answer, with the fingerprint of what it was the answer to. */
export interface KeptAnswer {
  readonly fingerprint: string;
  readonly status: number;
  readonly type: string | null;
  readonly location: string | null;
  readonly body: string;
}

/** Whoever is at work for an account and a key. */
export interface Attempt {
  readonly account: number;
  readonly keyHash: string;
  readonly holder: string;
}

/** Milliseconds between two looks at a claim that somebody else holds; the last one goes on. */
const LOOKS = [15, 30, 50, 100];

/** The first answers to changes with a key, and the claims of those at work (RETRY-3 to RETRY-8). */
@Injectable()
export class KeptAnswers {
  constructor(
    private readonly database: Database,
    private readonly sealer: AnswerSealer,
    private readonly leases: Leases,
    private readonly clock: Clock,
  ) {}

  /**
   * The kept answer of the key, or the claim to make the change.
   * @throws Refusal 409 `request_in_progress` when somebody else is still at work after a second
   */
  async claim(account: number, key: string): Promise<KeptAnswer | Attempt> {
    const attempt: Attempt = { account, keyHash: createHash('sha256').update(key).digest('base64url'), holder: randomUUID() };
    const patience = performance.now() + LIMITS.retries.patience * 1000;
    for (let look = 0; ; look++) {
      const [claim] = await this.database.rows<Claim>(CLAIM_REQUEST, [account, attempt.keyHash, attempt.holder, LIMITS.retries.lease]);
      if (claim?.answer) return this.opened(claim.answer);
      if (claim?.claimed) {
        this.leases.hold(attempt.holder);
        return attempt;
      }
      const wait = LOOKS[Math.min(look, LOOKS.length - 1)] as number;
      if (performance.now() + wait > patience) throw new Refusal('request_in_progress', { retryAfter: LIMITS.requests.retry_after_min });
      await pause(wait);
    }
  }

  /** In the transaction of the change. False: somebody else has made it meanwhile, so it must be rolled back. */
  async keep(tx: Transaction, { account, keyHash, holder }: Attempt, answer: KeptAnswer): Promise<boolean> {
    const sealed = await this.sealer.seal(JSON.stringify(answer));
    const kept = await tx.rows(INSERT_KEPT_ANSWER, [account, keyHash, holder, this.clock.now(), sealed]);
    return kept.length > 0;
  }

  /** Null when there is none. */
  async find({ account, keyHash }: Attempt): Promise<KeptAnswer | null> {
    const [row] = await this.database.apart.rows<{ answer: string }>(SELECT_KEPT_ANSWER, [account, keyHash]);
    return row ? this.opened(row.answer) : null;
  }

  /** Lets go of the claim: nothing was changed. False when it was lost before. */
  async free({ account, keyHash, holder }: Attempt): Promise<boolean> {
    const freed = await this.database.apart.rows(FREE_CLAIM, [account, keyHash, holder]);
    return freed.length > 0;
  }

  /** No longer at work. */
  end({ holder }: Attempt): void {
    this.leases.letGo(holder);
  }

  private async opened(sealed: string): Promise<KeptAnswer> {
    const text = await this.sealer.open(sealed);
    // The change was made, and what it was nobody can tell any more: nothing is the same as that.
    if (text === null) throw new Refusal('idempotency_key_reused');
    return JSON.parse(text) as KeptAnswer;
  }
}
