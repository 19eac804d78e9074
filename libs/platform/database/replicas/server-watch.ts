import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';

/** Milliseconds between two checks. */
const EVERY_MS = 150;

/**
 * Checks a server repeatedly on a separate connection, because waiting for a shared connection would delay the check.
 */
export class ServerWatch<Seen extends object> {
  private client: Client | null = null;
  private readonly ending = new AbortController();
  private running: Promise<void> | null = null;
  private checking: Promise<void> | null = null;

  constructor(
    private readonly connect: () => Promise<Client>,
    private readonly query: string,
    /** `askedMs`: the time when the query was sent, by a monotonic clock. */
    private readonly seen: (row: Seen, askedMs: number) => void,
    private readonly failed: (error: unknown) => void,
  ) {}

  start(): void {
    this.running ??= this.run();
  }

  /** Checks the server now, or waits for the check in progress. */
  check(): Promise<void> {
    return (this.checking ??= this.once().finally(() => (this.checking = null)));
  }

  async stop(): Promise<void> {
    this.ending.abort();
    await this.running;
    await this.checking;
    await this.letGo();
  }

  private async run(): Promise<void> {
    while (!this.ending.signal.aborted) {
      await this.check();
      await pause(EVERY_MS, undefined, { ref: false, signal: this.ending.signal }).catch(() => undefined);
    }
  }

  private async once(): Promise<void> {
    try {
      this.client ??= await this.connect();
      const askedMs = performance.now();
      const { rows } = await this.client.query<Seen>(this.query);
      this.seen(rows[0] as Seen, askedMs);
    } catch (error) {
      void this.letGo();
      this.failed(error);
    }
  }

  private async letGo(): Promise<void> {
    const { client } = this;
    this.client = null;
    await client?.end().catch(() => undefined);
  }
}
