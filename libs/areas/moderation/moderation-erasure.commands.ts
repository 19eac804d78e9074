import type { ContentKind } from '#contract/vocabulary';
import { statement, type Transaction } from '#platform/database/database';

const REPORTS_ON = statement('moderation_reports_on', 'SELECT id FROM reports WHERE author_id = $1');

const EMPTY_REPORTS_ON = statement(
  'moderation_empty_reports_on',
  `UPDATE reports SET author_id = NULL, snapshot = '{}', subject_sent = CASE WHEN subject_type IN ('user', 'post') THEN 'deleted' ELSE subject_sent END WHERE author_id = $1`,
);
const EMPTY_REPORTS_BY = statement(
  'moderation_empty_reports_by',
  'UPDATE reports SET reporter_id = NULL, reporter_email = NULL, reporter_name = NULL, reporter_locale = NULL, note = NULL WHERE reporter_id = $1 OR lower(reporter_email) = lower($2)',
);
const EMPTY_DECISIONS = statement(
  'moderation_empty_decisions',
  `UPDATE moderation_decisions SET author_id = NULL, subject_sent = NULL, snapshot = NULL, objection_hash = NULL, objection = CASE WHEN objection IS NOT NULL THEN '' END WHERE author_id = $1`,
);
const FORGET_REMOVALS_OF = statement(
  'moderation_forget_removals_of',
  'DELETE FROM content_removals WHERE kind = $1 AND subject_id = ANY($2::bigint[])',
);

const COPY_SERIES_REMOVAL = statement(
  'moderation_copy_series_removal',
  `INSERT INTO content_removals (kind, subject_id, reason, removed_at, removed_by)
   SELECT 'event', occurrence.id, r.reason, r.removed_at, r.removed_by FROM content_removals r, unnest($2::bigint[]) AS occurrence (id)
    WHERE r.kind = 'series' AND r.subject_id = $1`,
);

/** The ids of the reports on a person and on the person's content. */
export async function reportsOn(tx: Transaction, userId: number): Promise<number[]> {
  return (await tx.rows<{ id: string }>(REPORTS_ON, [userId])).map(({ id }) => Number(id));
}

/**
 * Erases the person from three kinds of rows. No row is deleted.
 * - reports on the person or on the person's content
 * - reports by the person, also reports that were sent without an account but with the person's mail address
 * - decisions about the person or about the person's content
 */
export async function eraseFromModeration(tx: Transaction, userId: number, email: string | null): Promise<void> {
  await tx.rows(EMPTY_REPORTS_ON, [userId]);
  await tx.rows(EMPTY_REPORTS_BY, [userId, email]);
  await tx.rows(EMPTY_DECISIONS, [userId]);
}

/**
 * Copies the removal of a series (reason, time and moderator) to its occurrences `eventIds`. Stores nothing if the
 * series has no removal.
 */
export async function copySeriesRemoval(tx: Transaction, seriesId: number, eventIds: readonly number[]): Promise<void> {
  await tx.rows(COPY_SERIES_REMOVAL, [seriesId, eventIds]);
}

/** Deletes the rows of `content_removals` about deleted objects of one kind. */
export async function forgetRemovalsOf(tx: Transaction, kind: ContentKind, ids: readonly number[]): Promise<void> {
  await tx.rows(FORGET_REMOVALS_OF, [kind, ids]);
}
