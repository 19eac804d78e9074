import type { Scope } from '#contract/scopes';
import type { Transaction } from '#platform/database/database';
import type { Signals } from '#platform/signals/signals';
import { DELETE_APPS, LOCK_UNUSED_APPS, UNUSED_APPS } from './app.query';
import { AppsDeleted } from './app.signal';
import { FORGET_CONSENTS } from './grant.query';

/**
 * Deletes apps with their grants and consents. The calling code has locked the apps, so that nobody connects them in
 * the meantime.
 */
export async function deleteApps(tx: Transaction, signals: Signals, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const consents = await tx.rows<{ user_id: string; scopes: Scope[] }>(FORGET_CONSENTS, [ids]);
  const people = consents.map(({ user_id, scopes }) => ({ userId: Number(user_id), scopes }));
  if (people.length > 0) await signals.raise(tx, new AppsDeleted(people));
  await tx.rows(DELETE_APPS, [ids]);
}

/**
 * Deletes at most `limit` apps that were created before the given time, have no grant, are not suspended, and do not
 * belong to a developer's account. Returns the ids of the deleted apps.
 */
export async function sweepUnusedApps(
  tx: Transaction,
  signals: Signals,
  createdBefore: Date,
  limit: number,
): Promise<string[]> {
  const locked = await tx.rows<{ id: string }>(LOCK_UNUSED_APPS, [createdBefore, limit]);
  // The grants are read again, because a person may have connected an app before the app was locked.
  const unused = await tx.rows<{ id: string }>(UNUSED_APPS, [locked.map(({ id }) => id)]);
  const ids = unused.map(({ id }) => id);
  await deleteApps(tx, signals, ids);
  return ids;
}
