import { statement } from '#platform/database/database';

export const NOTE_REMOVAL = statement(
  'moderation_note_removal',
  'INSERT INTO content_removals (kind, subject_id, reason, removed_at, removed_by) VALUES ($1, $2, $3, $4, $5)',
);

export const REMOVAL_OF = statement('moderation_removal_of', 'SELECT reason, removed_at FROM content_removals WHERE kind = $1 AND subject_id = $2');

export const FORGET_REMOVAL = statement('moderation_forget_removal', 'DELETE FROM content_removals WHERE kind = $1 AND subject_id = $2');

export interface RemovalRow {
  readonly reason: string;
  readonly removed_at: Date;
}
