import { statement, type Statement, type Transaction } from './database';

/** Whether a row was removed from view. */
export interface RemovalState {
  readonly removedAt: Date | null;
}

/**
 * Removes rows of one table `all_…` from view, restores them and deletes them (docs/adr/0021-out-of-sight.md). The
 * areas implement further consequences; the view without the prefix `all_` hides removed rows.
 */
export class Removal {
  private readonly lockRow: Statement;
  private readonly setRow: Statement;
  private readonly deleteRow: Statement;
  private readonly selectKeys: Statement | null;

  /** `keys`: a query that selects as `key` the stored files of row $1 (null values allowed). */
  constructor(
    readonly table: string,
    keys: string | null = null,
  ) {
    this.lockRow = statement(`removal_lock_${table}`, `SELECT removed_at FROM ${table} WHERE id = $1 FOR UPDATE`);
    this.setRow = statement(`removal_set_${table}`, `UPDATE ${table} SET removed_at = $2 WHERE id = $1`);
    this.deleteRow = statement(`removal_delete_${table}`, `DELETE FROM ${table} WHERE id = $1`);
    this.selectKeys = keys === null ? null : statement(`removal_keys_${table}`, keys);
  }

  /** Locks the row, removed or not, against changes and new references; null if there is none. */
  async lock(tx: Transaction, id: number): Promise<RemovalState | null> {
    const [row] = await tx.rows<{ removed_at: Date | null }>(this.lockRow, [id]);
    return row ? { removedAt: row.removed_at } : null;
  }

  /** Removes a locked row from view; null restores it. */
  async set(tx: Transaction, id: number, removedAt: Date | null): Promise<void> {
    await tx.rows(this.setRow, [id, removedAt]);
  }

  /**
   * Deletes a locked row and its dependent rows. Returns the keys of its files, which are to be deleted after the
   * commit.
   */
  async delete(tx: Transaction, id: number): Promise<string[]> {
    const files = this.selectKeys === null ? [] : await tx.rows<{ key: string | null }>(this.selectKeys, [id]);
    await tx.rows(this.deleteRow, [id]);
    return files.map(({ key }) => key).filter((key) => key !== null);
  }
}
