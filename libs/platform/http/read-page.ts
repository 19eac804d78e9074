import type { Database, Statement } from '../database/database';
import { Page, type Slice } from './page';

/** A list's statement and its total's. Both take the same values; the list also takes limit and offset. */
export interface Listing {
  readonly list: Statement;
  readonly total: Statement;
}

/** One page of a list, queried in parallel with its total; `show` maps each row. */
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
