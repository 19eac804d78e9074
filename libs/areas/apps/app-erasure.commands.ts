import type { Transaction } from '#platform/database/database';
import type { Signals } from '#platform/signals/signals';
import { LOCK_APPS_OF } from './app.query';
import { deleteApps } from './app-removal.commands';

/** Deletes a developer's apps with all their grants. Returns the ids of the apps and the keys of their icons. */
export async function deleteAppsOf(
  tx: Transaction,
  signals: Signals,
  userId: number,
): Promise<{ readonly ids: number[]; readonly keys: string[] }> {
  const rows = await tx.rows<{ id: string; icon_key: string | null }>(LOCK_APPS_OF, [userId]);
  await deleteApps(
    tx,
    signals,
    rows.map(({ id }) => id),
  );
  return {
    ids: rows.map(({ id }) => Number(id)),
    keys: rows.map(({ icon_key }) => icon_key).filter((key) => key !== null),
  };
}
