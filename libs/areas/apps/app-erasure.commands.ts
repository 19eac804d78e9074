import { statement, type Transaction } from '#platform/database/database';

const DELETE_APPS_OF = statement('apps_delete_of', 'DELETE FROM apps WHERE user_id = $1 RETURNING id, icon_key');

/** Deletes a developer's apps with all their grants. Returns the ids of the apps and the keys of their icons. */
export async function deleteAppsOf(
  tx: Transaction,
  userId: number,
): Promise<{ readonly ids: number[]; readonly keys: string[] }> {
  const rows = await tx.rows<{ id: string; icon_key: string | null }>(DELETE_APPS_OF, [userId]);
  return {
    ids: rows.map(({ id }) => Number(id)),
    keys: rows.map(({ icon_key }) => icon_key).filter((key) => key !== null),
  };
}
