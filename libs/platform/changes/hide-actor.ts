import { statement, type Transaction } from '../database/database';

const HIDE_ACTOR = statement('changes_hide_actor', `SELECT set_config('changes.by', '', true)`);

/**
 * The entries that this transaction adds to the log of changes from now on do not name the acting account: `by` is
 * null, as for an operator (CHG-2).
 */
export async function hideActor(tx: Transaction): Promise<void> {
  await tx.rows(HIDE_ACTOR);
}
