import { statement } from '#platform/database/database';
import { HAS_OPEN_OBJECTION } from './decisions/decision.query';

export const ADD_REMOVAL = statement(
  'moderation_add_removal',
  'INSERT INTO content_removals (kind, subject_id, reason, removed_at, removed_by) VALUES ($1, $2, $3, $4, $5)',
);

export const REMOVAL_OF = statement(
  'moderation_removal_of',
  'SELECT reason, removed_at FROM content_removals WHERE kind = $1 AND subject_id = $2',
);

export const DELETE_REMOVAL = statement(
  'moderation_delete_removal',
  'DELETE FROM content_removals WHERE kind = $1 AND subject_id = $2',
);

/** At most $2 objects that were removed at or before $1 and have no open objection. The oldest removal comes first. */
export const EXPIRED_REMOVALS = statement(
  'moderation_expired_removals',
  `SELECT r.kind, r.subject_id FROM content_removals r
    WHERE r.removed_at <= $1 AND NOT EXISTS (
      SELECT FROM moderation_decisions d WHERE d.subject_type = r.kind AND d.subject_id = r.subject_id AND ${HAS_OPEN_OBJECTION})
    ORDER BY r.removed_at, r.kind, r.subject_id LIMIT $2`,
);

/**
 * Locks the decisions about an object until the transaction ends, so that no objection can be added. Returns for each
 * decision whether it has an open objection.
 */
export const LOCK_OBJECTIONS_TO = statement(
  'moderation_lock_objections_to',
  `SELECT ${HAS_OPEN_OBJECTION} AS has_open_objection FROM moderation_decisions d WHERE d.subject_type = $1 AND d.subject_id = $2 ORDER BY d.id FOR UPDATE`,
);

export interface RemovalRow {
  readonly reason: string;
  readonly removed_at: Date;
}
