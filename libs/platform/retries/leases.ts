import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import { Database } from '../database/database';
import { runDetached } from '../database/one-connection';
import { RENEW_CLAIMS } from './stored-responses.query';

/**
 * Milliseconds between two renewals. A claim lasts for four such intervals, so it survives two failed renewals, even if
 * the third renewal is late.
 */
const RENEWAL_INTERVAL_MS = (LIMITS.retries.lease / 4) * 1000;

/**
 * Renews the claims of this process. A claim is a row of `request_claims`. From this row, every server knows that a
 * request with the row's `Idempotency-Key` is in progress. A claim is renewed until its request ends, because a request
 * that converts a video can take longer than the lifetime of a claim.
 */
@Injectable()
export class Leases implements OnApplicationShutdown {
  private readonly log = new Logger(Leases.name);
  private readonly holders = new Set<string>();
  private timer: NodeJS.Timeout | null = null;

  constructor(private readonly database: Database) {}

  /** Renews the claim until `release`. `holder`: the id of the request that has the claim. */
  hold(holder: string): void {
    this.holders.add(holder);
    this.timer ??= runDetached(() => setInterval(() => void this.renew(), RENEWAL_INTERVAL_MS).unref());
  }

  release(holder: string): void {
    this.holders.delete(holder);
    if (this.holders.size === 0) this.stop();
  }

  onApplicationShutdown(): void {
    this.stop();
  }

  private stop(): void {
    if (this.timer) clearInterval(this.timer);
    this.timer = null;
  }

  private async renew(): Promise<void> {
    try {
      await this.database.outsideTransaction.rows(RENEW_CLAIMS, [[...this.holders], LIMITS.retries.lease]);
    } catch (error) {
      this.log.warn({ err: error }, 'claims were not renewed');
    }
  }
}
