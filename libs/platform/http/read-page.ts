import type { Database, Statement } from '../database/database';
import { Page, type Slice } from './page';

/**
 * The statements for the items of a list and for their total number. Both get the same values, and `list` also gets
 * limit and offset after them.
 */
export interface Listing {
  readonly list: Statement;
  readonly total: Statement;
}

/** Reads one page of a list and the total number in parallel. `show` converts each row. */
export async function readPage<Row extends object, Item>(
  database: Database,
  { list, total }: Listing,
  values: readonly unknown[],
  slice: Slice,
  show: (row: Row) => Item,
): Promise<Page<Item>> {
  const [rows, totals] = await Promise.all([
    database.rows<Row>(list, [...values, slice.limit, slice.offset]),
    database.rows<{ total: number }>(total, values),
  ]);
  return new Page(rows.map(show), totals[0]?.total ?? 0, slice);
}
