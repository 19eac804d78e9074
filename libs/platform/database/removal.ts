import { statement, type Statement, type Transaction } from './database';

/** Whether a row is out of sight by removal. */
export interface RemovalState {
  readonly removedAt: Date | null;
}

/**
 * Taking rows of one table `all_…` out of sight and back (docs/adr/0021-out-of-sight.md). What else follows from it is known to the
 * areas; that nobody sees the row from then on is what the view of the same name is for.
 */
export class Removal {
  private readonly lockRow: Statement;
  private readonly setRow: Statement;
  private readonly oldRows: Statement;

  constructor(readonly table: string) {
    this.lockRow = statement(`removal_lock_${table}`, `SELECT removed_at FROM ${table} WHERE id = $1 FOR UPDATE`);
    this.setRow = statement(`removal_set_${table}`, `UPDATE ${table} SET removed_at = $2 WHERE id = $1`);
    this.oldRows = statement(`removal_old_${table}`, `SELECT id FROM ${table} WHERE removed_at <= $1 ORDER BY id LIMIT $2`);
  }

  /** Locks the row, in sight or not, against everybody who would change it or refer to it; null when there is none. */
  async lock(tx: Transaction, id: number): Promise<RemovalState | null> {
    const [row] = await tx.rows<{ removed_at: Date | null }>(this.lockRow, [id]);
    return row ? { removedAt: row.removed_at } : null;
  }

  /** Of a locked row. Null: back in sight. */
  async set(tx: Transaction, id: number, removedAt: Date | null): Promise<void> {
    await tx.rows(this.setRow, [id, removedAt]);
  }

  /** The ids of rows that have been removed since then or longer, at most so many. */
  async olderThan(tx: Transaction, then: Date, most: number): Promise<number[]> {
    const rows = await tx.rows<{ id: string }>(this.oldRows, [then, most]);
    return rows.map((row) => Number(row.id));
  }
}
