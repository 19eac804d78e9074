import { statement, type Statement, type Transaction } from './database';

/** Whether a row is out of sight by removal. */
export interface RemovalState {
  readonly removedAt: Date | null;
}

/**
 * Taking rows of one table `all_…` out of sight, back, and away for good (docs/adr/0021-out-of-sight.md). What else follows from it is
 * known to the areas; that nobody sees the row from then on is what the view of the same name is for.
 */
export class Removal {
  private readonly lockRow: Statement;
  private readonly setRow: Statement;
  private readonly deleteRow: Statement;
  private readonly selectKeys: Statement | null;

  /** `keys`: selects as `key` the stored files (null among them) that go with row $1. */
  constructor(
    readonly table: string,
    keys: string | null = null,
  ) {
    this.lockRow = statement(`removal_lock_${table}`, `SELECT removed_at FROM ${table} WHERE id = $1 FOR UPDATE`);
    this.setRow = statement(`removal_set_${table}`, `UPDATE ${table} SET removed_at = $2 WHERE id = $1`);
    this.deleteRow = statement(`removal_delete_${table}`, `DELETE FROM ${table} WHERE id = $1`);
    this.selectKeys = keys === null ? null : statement(`removal_keys_${table}`, keys);
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

  /** Of a locked row, with what hangs on it. Returns the keys of its files, which are to go after the commit. */
  async delete(tx: Transaction, id: number): Promise<string[]> {
    const files = this.selectKeys === null ? [] : await tx.rows<{ key: string | null }>(this.selectKeys, [id]);
    await tx.rows(this.deleteRow, [id]);
    return files.map(({ key }) => key).filter((key) => key !== null);
  }
}
