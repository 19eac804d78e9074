import { statement } from '#platform/database/database';

const COLUMNS = 'id, subject_type, subject_sent, reason, note, outcome, created_at';

/** No row when the reporter has an open report on the thing. */
export const ADD_REPORT = statement(
  'moderation_add_report',
  `INSERT INTO reports (reporter_id, reporter_email, subject_type, subject_id, subject_sent, author_id, snapshot, reason, note, created_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
   ON CONFLICT (reporter_id, subject_type, subject_id) WHERE outcome IS NULL AND reporter_id IS NOT NULL DO NOTHING
   RETURNING ${COLUMNS}`,
);

/** $1's, the latest first. $2 limit, $3 offset. */
export const OWN_REPORTS = statement('moderation_own_reports', `SELECT ${COLUMNS} FROM reports WHERE reporter_id = $1 ORDER BY id DESC LIMIT $2 OFFSET $3`);
export const OWN_REPORTS_TOTAL = statement('moderation_own_reports_total', 'SELECT count(*)::int AS total FROM reports WHERE reporter_id = $1');

/** Decides all open reports on the thing $1, $2: outcome $3, at $4. */
export const DECIDE_REPORTS = statement(
  'moderation_decide_reports',
  `UPDATE reports SET outcome = $3, decided_at = $4 WHERE subject_type = $1 AND subject_id = $2 AND outcome IS NULL
   RETURNING id, reporter_id`,
);
