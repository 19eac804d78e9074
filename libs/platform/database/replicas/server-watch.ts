import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';

/** Milliseconds between two checks. */
const CHECK_INTERVAL_MS = 150;

/**
 * Sends `query` to a database server repeatedly. The watch has its own connection, because waiting for a shared
 * connection would delay the check.
 */
export class ServerWatch<Row extends object> {
  private client: Client | null = null;
  private readonly shutdown = new AbortController();
  private running: Promise<void> | null = null;
  private checking: Promise<void> | null = null;

  constructor(
    private readonly connect: () => Promise<Client>,
    private readonly query: string,
    /** `queriedAtMs`: the time when the query was sent, by a monotonic clock. */
    private readonly onRow: (row: Row, queriedAtMs: number) => void,
    private readonly onError: (error: unknown) => void,
  ) {}

  start(): void {
    this.running ??= this.run();
  }

  /** Checks the server now, or waits for the check in progress. */
  check(): Promise<void> {
    return (this.checking ??= this.queryOnce().finally(() => (this.checking = null)));
  }

  async stop(): Promise<void> {
    this.shutdown.abort();
    await this.running;
    await this.checking;
    await this.disconnect();
  }

  private async run(): Promise<void> {
    while (!this.shutdown.signal.aborted) {
      await this.check();
      await pause(CHECK_INTERVAL_MS, undefined, { ref: false, signal: this.shutdown.signal }).catch(() => undefined);
    }
  }

  private async queryOnce(): Promise<void> {
    try {
      this.client ??= await this.connect();
      const queriedAtMs = performance.now();
      const { rows } = await this.client.query<Row>(this.query);
      this.onRow(rows[0] as Row, queriedAtMs);
    } catch (error) {
      void this.disconnect();
      this.onError(error);
    }
  }

  private async disconnect(): Promise<void> {
    const { client } = this;
    this.client = null;
    await client?.end().catch(() => undefined);
  }
}
