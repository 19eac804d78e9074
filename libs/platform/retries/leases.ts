import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import { Database } from '../database/database';
import { detached } from '../database/one-connection';
import { RENEW_CLAIMS } from './kept-answers.query';

/** A claim without a renewal for this time belongs to a dead server. Two renewals may fail before that. */
const EVERY = (LIMITS.retries.lease / 3) * 1000;

/**
 * Renews the claims of this process while their requests are in progress, because converting a video takes longer than
 * a claim is valid.
 */
@Injectable()
export class Leases implements OnApplicationShutdown {
  private readonly log = new Logger(Leases.name);
  private readonly held = new Map<string, number>();
  private timer: NodeJS.Timeout | null = null;

  constructor(private readonly database: Database) {}

  hold(holder: string): void {
    this.held.set(holder, performance.now());
    this.timer ??= detached(() => setInterval(() => void this.renew(), EVERY).unref());
  }

  letGo(holder: string): void {
    this.held.delete(holder);
    if (this.held.size === 0) this.stop();
  }

  onApplicationShutdown(): void {
    this.stop();
  }

  private stop(): void {
    if (this.timer) clearInterval(this.timer);
    this.timer = null;
  }

  /** Claims that were renewed recently are skipped. */
  private async renew(): Promise<void> {
    const old = performance.now() - EVERY / 2;
    const holders = [...this.held].flatMap(([holder, since]) => (since <= old ? holder : []));
    if (holders.length === 0) return;
    try {
      await this.database.outsideTransaction.rows(RENEW_CLAIMS, [holders, LIMITS.retries.lease]);
    } catch (error) {
      this.log.warn({ err: error }, 'claims were not renewed');
    }
  }
}
