import { statement, type Transaction } from '#platform/database/database';

const DELETE_PULS_OF = statement(
  'puls_delete_of',
  'DELETE FROM all_puls_posts WHERE author_id = $1 RETURNING id, image_key, video_key',
);

/** Deletes all Puls posts of a user. Returns the ids of the posts and the keys of their files. */
export async function deletePulsOf(
  tx: Transaction,
  userId: number,
): Promise<{ readonly ids: number[]; readonly keys: string[] }> {
  const rows = await tx.rows<{ id: string; image_key: string | null; video_key: string | null }>(DELETE_PULS_OF, [
    userId,
  ]);
  return {
    ids: rows.map(({ id }) => Number(id)),
    keys: rows.flatMap((row) => [row.image_key, row.video_key]).filter((key) => key !== null),
  };
}
