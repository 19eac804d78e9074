import { statement, type Transaction } from '../database/database';

const HIDE_ACTOR = statement('changes_hide_actor', `SELECT set_config('changes.by', '', true)`);

/**
 * Hides the acting account in the feed of changes: `by` is null in all entries that this transaction adds from now on,
 * as in entries about changes by an operator (CHG-2).
 */
export async function hideActor(tx: Transaction): Promise<void> {
  await tx.rows(HIDE_ACTOR);
}
