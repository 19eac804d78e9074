import type { Database, Statement } from '../database/database';
import { Page, type Slice } from './page';

/**
 * The statements for the items of a list and for their total number. Both statements get the same parameters; `list`
 * also gets the limit and the offset as its last two parameters.
 */
export interface Listing {
  readonly list: Statement;
  readonly total: Statement;
}

/** Reads one page of a list and the total number in parallel. */
export async function readPage<Row extends object>(
  database: Database,
  { list, total }: Listing,
  values: readonly unknown[],
  slice: Slice,
): Promise<Page<Row>> {
  const [rows, totals] = await Promise.all([
    database.rows<Row>(list, [...values, slice.limit, slice.offset]),
    database.rows<{ total: number }>(total, values),
  ]);
  return new Page(rows, totals[0]?.total ?? 0, slice);
}
