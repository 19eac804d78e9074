import { statement, type Statement, type Transaction } from './database';

export interface RemovalState {
  /** When the row was removed from view. The row still exists, but is not shown. Null if the row is in view. */
  readonly removedAt: Date | null;
}

/**
 * Removes rows of one table `all_…` from view, restores them, and deletes them (docs/adr/0021-out-of-sight.md). Removed
 * rows stay in the table, but the SQL view, whose name has no prefix `all_`, does not contain them. The areas implement
 * all other effects.
 */
export class Removal {
  private readonly lockRow: Statement;
  private readonly setRow: Statement;
  private readonly deleteRow: Statement;
  private readonly selectKeys: Statement | null;

  /**
   * `keys`: a query that returns the keys of the files of row $1 in the column `key`, which may contain null. `keys`
   * itself is null if rows of this table have no files.
   */
  constructor(
    readonly table: string,
    keys: string | null = null,
  ) {
    this.lockRow = statement(`removal_lock_${table}`, `SELECT removed_at FROM ${table} WHERE id = $1 FOR UPDATE`);
    this.setRow = statement(`removal_set_${table}`, `UPDATE ${table} SET removed_at = $2 WHERE id = $1`);
    this.deleteRow = statement(`removal_delete_${table}`, `DELETE FROM ${table} WHERE id = $1`);
    this.selectKeys = keys === null ? null : statement(`removal_keys_${table}`, keys);
  }

  /**
   * Locks the row against changes and new references. Rows that are removed from view can be locked too. Returns null
   * if there is no such row.
   */
  async lock(tx: Transaction, id: number): Promise<RemovalState | null> {
    const [row] = await tx.rows<{ removed_at: Date | null }>(this.lockRow, [id]);
    return row ? { removedAt: row.removed_at } : null;
  }

  /** Removes a locked row from view. If `removedAt` is null, restores the row. */
  async set(tx: Transaction, id: number, removedAt: Date | null): Promise<void> {
    await tx.rows(this.setRow, [id, removedAt]);
  }

  /**
   * Deletes a locked row and its dependent rows. Returns the keys of the row's files; the caller deletes these files
   * after the commit.
   */
  async delete(tx: Transaction, id: number): Promise<string[]> {
    const files = this.selectKeys === null ? [] : await tx.rows<{ key: string | null }>(this.selectKeys, [id]);
    await tx.rows(this.deleteRow, [id]);
    return files.map(({ key }) => key).filter((key) => key !== null);
  }
}
