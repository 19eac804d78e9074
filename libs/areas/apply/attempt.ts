import { statement, type Transaction } from '#platform/database/database';
import type { DocumentErrors } from './document';

const BEGIN_PART = statement('apply_begin_part', 'SAVEPOINT part_of_document');
const UNDO_PART = statement('apply_undo_part', 'ROLLBACK TO SAVEPOINT part_of_document');
const END_PART = statement('apply_end_part', 'RELEASE SAVEPOINT part_of_document');

/**
 * Writes one part of a document. If this throws an `OperatorError` or a `Refusal`, the error is recorded in `errors`
 * and only this part is rolled back, so that errors of other parts are also found. All other errors are thrown.
 */
export async function attempt<T>(
  tx: Transaction,
  errors: DocumentErrors,
  write: () => Promise<T>,
): Promise<T | undefined> {
  await tx.rows(BEGIN_PART);
  const before = errors.count;
  const written = await errors.collectAsync(write);
  if (errors.count > before) await tx.rows(UNDO_PART);
  await tx.rows(END_PART);
  return written;
}
