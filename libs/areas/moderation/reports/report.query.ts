import type { ReportOutcome, ReportSubject } from '#contract/vocabulary';
import { statement } from '#platform/database/database';

const COLUMNS = 'id, subject_type, subject_sent, reason, note, outcome, created_at';

/**
 * Adds a report by user $1 on the object $3 of type $2: $4 id as sent, $5 owner of the object, $6 snapshot, $7 reason,
 * $8 note, $9 now. Returns no row if the user already has an open report on the object.
 */
export const ADD_REPORT = statement(
  'moderation_add_report',
  `INSERT INTO reports (reporter_id, subject_type, subject_id, subject_sent, author_id, snapshot, reason, note, created_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
   ON CONFLICT (reporter_id, subject_type, subject_id) WHERE outcome IS NULL AND reporter_id IS NOT NULL DO NOTHING
   RETURNING ${COLUMNS}`,
);

/**
 * Like `ADD_REPORT`, for a reporter without an account: $1 name, $2 e-mail address, $3 language. $4 to $11 are $2 to $9
 * of `ADD_REPORT`. Reports with the same e-mail address count as reports by one person.
 */
export const ADD_ANONYMOUS_REPORT = statement(
  'moderation_add_anonymous_report',
  `INSERT INTO reports (reporter_name, reporter_email, reporter_locale, subject_type, subject_id, subject_sent, author_id, snapshot, reason, note, created_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
   ON CONFLICT (lower(reporter_email), subject_type, subject_id) WHERE outcome IS NULL AND reporter_email IS NOT NULL DO NOTHING
   RETURNING id`,
);

/**
 * The open report on object $4 of type $3 that was sent with the name $1, the e-mail address $2, the reason $5 and the
 * note $6.
 */
export const SELECT_SAME_ANONYMOUS_REPORT = statement(
  'moderation_same_anonymous_report',
  `SELECT 1 FROM reports
   WHERE outcome IS NULL AND lower(reporter_email) = lower($2) AND reporter_email = $2 AND subject_type = $3
     AND subject_id = $4 AND reporter_name = $1 AND reason = $5 AND note = $6`,
);

/**
 * Locks the e-mail address $1: other transactions that store a report with this address wait until this transaction
 * ends.
 */
export const LOCK_REPORTING_ADDRESS = statement(
  'moderation_lock_reporting_address',
  `SELECT pg_advisory_xact_lock(hashtextextended('report ' || lower($1), 186))`,
);

/** The number of reports with the e-mail address $1 since $2. */
export const REPORTS_OF_ADDRESS = statement(
  'moderation_reports_of_address',
  'SELECT count(*)::int AS total FROM reports WHERE lower(reporter_email) = lower($1) AND created_at > $2',
);

/**
 * Selects decided reports by people without an account, if the mail about the decision is not queued yet. Marks these
 * mails as queued and returns the ids of the reports. $1 now, $2 earliest time of the decision, $3 limit.
 */
export const TAKE_ANSWERS = statement(
  'moderation_take_answers',
  `UPDATE reports SET answer_queued_at = $1 WHERE id IN (
     SELECT id FROM reports WHERE reporter_email IS NOT NULL AND outcome IS NOT NULL AND answer_queued_at IS NULL AND decided_at > $2 ORDER BY id LIMIT $3 FOR UPDATE SKIP LOCKED)
   RETURNING id`,
);

export interface AnswerRow {
  readonly reporter_name: string;
  readonly reporter_email: string;
  readonly reporter_locale: string;
  readonly subject_type: ReportSubject;
  readonly snapshot: Readonly<Record<string, unknown>>;
  readonly outcome: ReportOutcome;
}

export const ANSWER_TO_MAIL = statement(
  'moderation_answer_to_mail',
  'SELECT reporter_name, reporter_email, reporter_locale, subject_type, snapshot, outcome FROM reports WHERE id = $1 AND answer_mailed_at IS NULL AND reporter_email IS NOT NULL AND outcome IS NOT NULL',
);

export const MARK_ANSWERED = statement(
  'moderation_mark_answered',
  'UPDATE reports SET answer_mailed_at = $2 WHERE id = $1',
);

/** The reports of user $1, the latest report first. $2 limit, $3 offset. `slug` and `snapshot`: see `OwnReportRow`. */
export const OWN_REPORTS = statement(
  'moderation_own_reports',
  `SELECT ${COLUMNS}, CASE subject_type WHEN 'post' THEN snapshot->>'slug'
          WHEN 'user' THEN (SELECT u.slug FROM users u WHERE u.id = subject_id AND NOT u.gone) END AS slug, snapshot
     FROM reports WHERE reporter_id = $1 ORDER BY id DESC LIMIT $2 OFFSET $3`,
);
export const OWN_REPORTS_TOTAL = statement(
  'moderation_own_reports_total',
  'SELECT count(*)::int AS total FROM reports WHERE reporter_id = $1',
);

/** Closes all open reports on object $2 of type $1 with outcome $3 at time $4. */
export const DECIDE_REPORTS = statement(
  'moderation_decide_reports',
  `UPDATE reports SET outcome = $3, decided_at = $4 WHERE subject_type = $1 AND subject_id = $2 AND outcome IS NULL
   RETURNING id, reporter_id`,
);
