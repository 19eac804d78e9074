import { statement, type Transaction } from '#platform/database/database';

const DELETE_PHOTOS_OF = statement(
  'gallery_delete_photos_of',
  'DELETE FROM all_gallery_photos WHERE author_id = $1 RETURNING id, key',
);

/** Deletes the rows of all gallery photos that a user has added. Returns their ids, and the keys of their files. */
export async function deletePhotosOf(
  tx: Transaction,
  userId: number,
): Promise<{ readonly ids: number[]; readonly keys: string[] }> {
  const rows = await tx.rows<{ id: string; key: string }>(DELETE_PHOTOS_OF, [userId]);
  return { ids: rows.map(({ id }) => Number(id)), keys: rows.map(({ key }) => key) };
}
