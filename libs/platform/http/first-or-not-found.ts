import { Refusal } from './refusal';

/** Returns the first row. Throws 404 if there is none. */
export function firstOrNotFound<Row>([row]: readonly Row[]): Row {
  if (!row) throw new Refusal('not_found');
  return row;
}
