import { Injectable } from '@nestjs/common';
import { Database, statement } from '../database/database';

const NUMBER_CHANGES = statement('changes_number', 'SELECT number_changes() AS last');
/** The notification is sent when the transaction with the numbers is committed. */
const NUMBER_AND_NOTIFY = statement(
  'changes_number_and_notify',
  "SELECT numbered.last, pg_notify('changes', '') FROM number_changes() AS numbered (last)",
);
/** Entries of open transactions are invisible, so they are not included. */
const DELAY = statement(
  'changes_delay',
  'SELECT coalesce(extract(epoch FROM clock_timestamp() - min(at)), 0)::float8 AS seconds FROM unnumbered_changes',
);

/**
 * Gives numbers to the entries that committed transactions added to the feed of changes. Every process may call the
 * methods at any time. A lock in PostgreSQL ensures that only one call at a time assigns numbers
 * (docs/adr/0380-numbered-feed.md).
 */
@Injectable()
export class ChangeSequencer {
  constructor(private readonly database: Database) {}

  /** Gives a number to every entry that was committed before the call. Returns the last number of the feed. */
  async numberEntries(): Promise<bigint> {
    return this.run(NUMBER_CHANGES);
  }

  /** Like `numberEntries`. Also notifies the listeners of every process, even if no entry needed a number. */
  async numberAndNotify(): Promise<bigint> {
    return this.run(NUMBER_AND_NOTIFY);
  }

  /**
   * Seconds since the oldest committed entry without a number was written; 0 if all committed entries have a number.
   */
  async delay(): Promise<number> {
    const [row] = await this.database.rows<{ seconds: number }>(DELAY);
    return Math.max(0, row?.seconds ?? 0);
  }

  private async run(sql: typeof NUMBER_CHANGES): Promise<bigint> {
    const [row] = await this.database.outsideTransaction.rows<{ last: string }>(sql);
    if (!row) throw new Error('number_changes() returned no row');
    return BigInt(row.last);
  }
}
