import { statement, type Database, type Statement, type Transaction } from '../database/database';
import { inBatches } from './batches';

/** The maximum number of rows of the default partition that one statement deletes. */
const BATCH = 5_000;

/**
 * How a table is divided into partitions by its column `at`. Each partition that `prepare` creates contains one period
 * of `periodMs`. A default partition `…_rest` contains the rows of all other periods.
 */
interface Partitioning {
  readonly table: string;
  readonly periodMs: number;
  /** The beginning of one of the periods. */
  readonly originMs: number;
}

/** The partitions of a table. The name of a partition ends with the first day of its period: `changes_20261123`. */
export class TimePartitions {
  private readonly selectAll: Statement;
  private readonly selectRest: Statement;
  private readonly deleteRest: Statement;

  constructor(private readonly partitioning: Partitioning) {
    const { table } = partitioning;
    this.selectAll = statement(
      `${table}_partitions`,
      `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
        WHERE i.inhparent = '${table}'::regclass AND c.relname ~ '_\\d{8}$' ORDER BY 1`,
    );
    this.selectRest = statement(
      `${table}_select_rest`,
      `SELECT 1 AS rest FROM ${table}_rest WHERE at >= $1 AND at < $2 LIMIT 1`,
    );
    this.deleteRest = statement(
      `${table}_delete_rest`,
      `DELETE FROM ${table}_rest WHERE ctid = ANY(ARRAY(SELECT ctid FROM ${table}_rest WHERE at < $1 LIMIT $2)) RETURNING 1`,
    );
  }

  /**
   * Creates the missing partitions of the current period and of the next `ahead` periods, except for periods of which
   * the default partition already contains rows. Returns the number of created partitions.
   */
  async prepare(database: Database, now: Date, ahead: number, signal: AbortSignal): Promise<number> {
    const existing = new Set(await this.names(database));
    let prepared = 0;
    for (let period = 0; period <= ahead; period++) {
      signal.throwIfAborted();
      const start = this.startOfPeriod(now) + period * this.partitioning.periodMs;
      if (!existing.has(this.nameOf(start)) && (await database.transaction((tx) => this.create(tx, start)))) prepared++;
    }
    return prepared;
  }

  /**
   * Drops the partitions whose periods end at or before `before`, and deletes rows of the default partition that are
   * older than `before`. Returns the number of dropped partitions and the number of deleted rows.
   */
  async drop(database: Database, before: Date, signal: AbortSignal): Promise<{ dropped: number; deletedRows: number }> {
    let dropped = 0;
    for (const name of await this.names(database)) {
      signal.throwIfAborted();
      if (startFromName(name) + this.partitioning.periodMs > before.getTime()) continue;
      await database.transaction((tx) => tx.manager.query(`DROP TABLE ${name}`));
      dropped++;
    }
    const deletedRows = await inBatches(
      BATCH,
      signal,
      async () => (await database.autocommit.rows(this.deleteRest, [before, BATCH])).length,
    );
    return { dropped, deletedRows };
  }

  /**
   * Creates the partition of a period. If the default partition has rows of this period, creates nothing and returns
   * false; the rows stay in the default partition.
   */
  private async create(tx: Transaction, start: number): Promise<boolean> {
    const { table, periodMs } = this.partitioning;
    const [from, to] = [new Date(start), new Date(start + periodMs)];
    if ((await tx.rows(this.selectRest, [from, to])).length > 0) return false;
    await tx.manager.query(
      `CREATE TABLE ${this.nameOf(start)} PARTITION OF ${table} FOR VALUES FROM ('${from.toISOString()}') TO ('${to.toISOString()}')`,
    );
    return true;
  }

  private async names(database: Database): Promise<string[]> {
    return (await database.rows<{ name: string }>(this.selectAll)).map(({ name }) => name);
  }

  private startOfPeriod(now: Date): number {
    return now.getTime() - ((now.getTime() - this.partitioning.originMs) % this.partitioning.periodMs);
  }

  private nameOf(start: number): string {
    return `${this.partitioning.table}_${new Date(start).toISOString().slice(0, 10).replaceAll('-', '')}`;
  }
}

function startFromName(name: string): number {
  const [, year, month, day] = /(\d{4})(\d\d)(\d\d)$/.exec(name) ?? [];
  return Date.UTC(Number(year), Number(month) - 1, Number(day));
}
