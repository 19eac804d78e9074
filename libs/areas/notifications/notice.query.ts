import { statement } from '#platform/database/database';
import type { NoticeWords } from './notice-words';

/** The columns of a notice's text, of the row `n`; `p` is the acting person. */
export const NOTICE_WORDS = 'n.kind, n.event_title, n.event_starts_at, n.refunded_credits, n.words, p.name AS person';

/** Subjects of notices that are not events: a webhook, a decision about the reader's thing, or the reader's report. */
export const OTHER_NOTICE_SUBJECTS = ['webhook', 'decision', 'report'] as const;
export type OtherNoticeSubject = (typeof OTHER_NOTICE_SUBJECTS)[number];
export const NOTICE_SUBJECTS = ['event', ...OTHER_NOTICE_SUBJECTS] as const;
export type NoticeSubject = (typeof NOTICE_SUBJECTS)[number];

/** A notice as shown to its reader. */
export interface NoticeRow extends NoticeWords {
  readonly id: string;
  readonly subject_type: NoticeSubject;
  /** Id of the event, or of the other subject. */
  readonly subject_id: string;
  readonly read_at: Date | null;
  readonly created_at: Date;
}

/** Notices of user $1, newest first. */
export const NOTICES_OF = statement(
  'notifications_of',
  `SELECT n.id, ${NOTICE_WORDS}, n.subject_type, coalesce(n.subject_id, n.event_id) AS subject_id, n.read_at, n.created_at
     FROM notifications n LEFT JOIN users p ON p.id = n.person_id
    WHERE n.user_id = $1
    ORDER BY n.id DESC LIMIT $2 OFFSET $3`,
);

export const NOTICES_TOTAL = statement(
  'notifications_total',
  'SELECT count(*)::int AS total FROM notifications WHERE user_id = $1',
);

export const UNREAD_NOTICES = statement(
  'notifications_unread_of',
  'SELECT count(*)::int AS unread FROM notifications WHERE user_id = $1 AND read_at IS NULL',
);

const IS_ABOUT = 'subject_type = $2 AND coalesce(subject_id, event_id) = $3';

/** The same, and how many of them are about the thing $2, $3. */
export const UNREAD_NOTICES_ABOUT = statement(
  'notifications_unread_about',
  `SELECT count(*)::int AS unread, (count(*) FILTER (WHERE ${IS_ABOUT}))::int AS of_subject FROM notifications WHERE user_id = $1 AND read_at IS NULL`,
);

export const IS_NOTICE_OF = statement(
  'notifications_is_of',
  'SELECT id FROM notifications WHERE user_id = $1 AND id = $2',
);

/** Marks notice $2 of user $1 and all older ones as read at $3. */
export const READ_NOTICES = statement(
  'notifications_read',
  'UPDATE notifications SET read_at = $3 WHERE user_id = $1 AND id <= $2 AND read_at IS NULL RETURNING id',
);

/** Marks the notices of user $1 about the thing $2, $3 as read at $4. */
export const READ_NOTICES_ABOUT = statement(
  'notifications_read_about',
  `UPDATE notifications SET read_at = $4 WHERE user_id = $1 AND ${IS_ABOUT} AND read_at IS NULL RETURNING id`,
);

/** Deletes at most $2 notices from before $1. */
export const SWEEP_NOTICES = statement(
  'notifications_sweep',
  'DELETE FROM notifications WHERE id IN (SELECT id FROM notifications WHERE created_at < $1 ORDER BY created_at LIMIT $2) RETURNING 1',
);
