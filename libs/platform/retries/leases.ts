import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import { Database } from '../database/database';
import { runDetached } from '../database/one-connection';
import { RENEW_CLAIMS } from './stored-responses.query';

/** Milliseconds between two renewals. A renewal extends a claim by three such intervals. */
const RENEWAL_INTERVAL_MS = (LIMITS.retries.lease / 3) * 1000;

/**
 * Renews the claims of this process. A claim is a row of `request_claims`. From this row, every server sees that a
 * request with this `Idempotency-Key` is in progress. A claim is renewed until its request ends, because a request that
 * converts a video can take longer than the lifetime of a claim.
 */
@Injectable()
export class Leases implements OnApplicationShutdown {
  private readonly log = new Logger(Leases.name);
  private readonly claims = new Map<string, number>();
  private timer: NodeJS.Timeout | null = null;

  constructor(private readonly database: Database) {}

  hold(holder: string): void {
    this.claims.set(holder, performance.now());
    this.timer ??= runDetached(() => setInterval(() => void this.renew(), RENEWAL_INTERVAL_MS).unref());
  }

  release(holder: string): void {
    this.claims.delete(holder);
    if (this.claims.size === 0) this.stop();
  }

  onApplicationShutdown(): void {
    this.stop();
  }

  private stop(): void {
    if (this.timer) clearInterval(this.timer);
    this.timer = null;
  }

  /** Renews the claims. Claims that began less than half an interval ago do not need a renewal yet. */
  private async renew(): Promise<void> {
    const old = performance.now() - RENEWAL_INTERVAL_MS / 2;
    const holders = [...this.claims].flatMap(([holder, since]) => (since <= old ? holder : []));
    if (holders.length === 0) return;
    try {
      await this.database.outsideTransaction.rows(RENEW_CLAIMS, [holders, LIMITS.retries.lease]);
    } catch (error) {
      this.log.warn({ err: error }, 'claims were not renewed');
    }
  }
}
