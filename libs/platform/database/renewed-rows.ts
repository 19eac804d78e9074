import { Logger } from '@nestjs/common';
import type { Database } from './database';
import { runDetached } from './one-connection';
import type { Statement } from './transaction';

/**
 * Ids of rows that show to all servers that a request of this process is in progress. Each row expires after `lease`
 * seconds. One statement renews all rows four times in this period, so a row survives two failed renewals, even if the
 * third renewal is late. If the process crashes, nothing renews its rows, and they expire.
 */
export class RenewedRows {
  private readonly log = new Logger(RenewedRows.name);
  private readonly rowIds = new Set<string>();
  private timer: NodeJS.Timeout | null = null;

  /** @param renewal sets the expiry of the rows with the ids $1 (a list) to $2 seconds from now */
  constructor(
    private readonly database: Database,
    private readonly renewal: Statement,
    private readonly lease: number,
  ) {}

  get ids(): string[] {
    return [...this.rowIds];
  }

  get size(): number {
    return this.rowIds.size;
  }

  /** Renews the row until `delete` is called. */
  add(id: string): void {
    this.rowIds.add(id);
    this.timer ??= runDetached(() => setInterval(() => void this.renew(), (this.lease * 1000) / 4).unref());
  }

  delete(id: string): void {
    this.rowIds.delete(id);
  }

  /** Call this method at shutdown. */
  stop(): void {
    if (this.timer) clearInterval(this.timer);
    this.timer = null;
  }

  private async renew(): Promise<void> {
    if (this.size === 0) return;
    try {
      await this.database.outsideTransaction.rows(this.renewal, [this.ids, this.lease]);
    } catch (error) {
      this.log.warn({ err: error, statement: this.renewal.name }, 'rows were not renewed');
    }
  }
}
