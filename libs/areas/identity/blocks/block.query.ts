import { statement } from '#platform/database/database';
import { personColumns, type PersonRow } from '../person.resource';

/** A blocked person and the time of the block. */
export interface BlockRow extends PersonRow<'user'> {
  created_at: Date;
}

/** The people whom user $1 blocks, the latest block first: $2 limit, $3 offset. */
export const SELECT_BLOCKS = statement(
  'identity_blocks',
  `SELECT ${personColumns('u', 'user')}, b.created_at
     FROM user_blocks b JOIN users u ON u.id = b.blocked_id
    WHERE b.blocker_id = $1
    ORDER BY b.created_at DESC, b.blocked_id DESC LIMIT $2 OFFSET $3`,
);

export const BLOCKS_TOTAL = statement(
  'identity_blocks_total',
  'SELECT count(*)::int AS total FROM user_blocks WHERE blocker_id = $1',
);

/** Adds blocks: user $1 blocks the users $2 from time $3 on. The time of an existing block is not changed. */
export const INSERT_BLOCKS = statement(
  'identity_insert_blocks',
  'INSERT INTO user_blocks (blocker_id, blocked_id, created_at) SELECT $1, unnest($2::bigint[]), $3 ON CONFLICT DO NOTHING',
);

/**
 * Like `INSERT_BLOCKS`, for the user with slug $2. This user cannot be deleted until the transaction ends. Returns the
 * name of the user, or no row if the slug is unknown or belongs to an erased account (`gone`).
 */
export const BLOCK_BY_SLUG = statement(
  'identity_block_by_slug',
  `WITH blocked AS MATERIALIZED (SELECT id, name FROM users WHERE slug = $2 AND NOT gone FOR KEY SHARE),
        stored AS (INSERT INTO user_blocks (blocker_id, blocked_id, created_at) SELECT $1, id, $3 FROM blocked ON CONFLICT DO NOTHING)
   SELECT name FROM blocked`,
);

/** Ends the block by user $1 of the user with slug $2. Returns the latter's name, or no row if there was no block. */
export const UNBLOCK_BY_SLUG = statement(
  'identity_unblock_by_slug',
  'DELETE FROM user_blocks b USING users u WHERE u.slug = $2 AND b.blocker_id = $1 AND b.blocked_id = u.id RETURNING u.name',
);

/** Ends all blocks of user $1 except the blocks of the users $2. */
export const UNBLOCK_OTHERS = statement(
  'identity_unblock_others',
  'DELETE FROM user_blocks WHERE blocker_id = $1 AND blocked_id <> ALL($2::bigint[])',
);
