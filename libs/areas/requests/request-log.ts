import { Injectable, Logger } from '@nestjs/common';
import { isUnavailable } from '#platform/database/availability';
import { Database } from '#platform/database/database';
import { runDetached } from '#platform/database/one-connection';
import { columnsOf, INSERT_REQUESTS, type LoggedRequest } from './request.query';

/** Milliseconds for which entries are collected before they are written. */
const FLUSH_MS = 1_000;
/** Maximum number of rows per statement; serializing more rows would block the event loop. */
const BATCH = 500;
/** Maximum number of entries in memory; they need about 5 MB. */
const MAX_WAITING = 10_000;

/**
 * Writes the entries of the request log to the database every second, after the responses (LOG-6). No request waits for
 * a write. If the database is too slow, further entries are dropped while the memory for entries is full.
 */
@Injectable()
export class RequestLog {
  private readonly log = new Logger(RequestLog.name);
  private waiting: LoggedRequest[] = [];
  private timer: NodeJS.Timeout | null = null;
  private writing: Promise<void> | null = null;
  private dropped = 0;

  constructor(private readonly database: Database) {}

  add(request: LoggedRequest): void {
    if (this.waiting.length >= MAX_WAITING) this.dropped++;
    else this.waiting.push(request);
    this.schedule();
  }

  /**
   * Writes all requests that were added before this call. If the database is unavailable, these requests remain in
   * memory; after any other error, they are dropped.
   */
  async flush(): Promise<void> {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    // A write in progress may have begun before the last requests were added.
    await this.writing;
    this.writing ??= this.write().finally(() => (this.writing = null));
    await this.writing;
  }

  private schedule(): void {
    this.timer ??= runDetached(() => setTimeout(() => void this.flush(), FLUSH_MS).unref());
  }

  private async write(): Promise<void> {
    while (this.waiting.length > 0) {
      const batch = this.waiting.slice(0, BATCH);
      try {
        await runDetached(() => this.database.outsideTransaction.rows(INSERT_REQUESTS, columnsOf(batch)));
        this.waiting.splice(0, batch.length);
      } catch (error) {
        this.log.warn({ err: error, waiting: this.waiting.length }, 'requests were not logged');
        // If the database is unavailable, the next attempt to write these rows is a second later. Any other error is
        // probably caused by the rows, so they are dropped.
        if (isUnavailable(error)) break;
        this.waiting.splice(0, batch.length);
      }
    }
    if (this.dropped > 0)
      this.log.warn(`${this.dropped} requests are missing in the log: the database does not keep up`);
    this.dropped = 0;
    if (this.waiting.length > 0) this.schedule();
  }
}
