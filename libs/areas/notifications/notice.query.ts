import { statement } from '#platform/database/database';
import type { NoticeWords } from './notice-words';

/**
 * The number of characters that are read of a comment to quote it. More characters are read than shown, because
 * leading, trailing and repeated spaces are removed before the quote is shortened.
 */
const QUOTE_PREFIX_LENGTH = 300;

/** SQL: the columns that the text of notice `n` needs. `p` is the acting person. */
export const NOTICE_TEXT_COLUMNS = `n.kind, n.event_title, n.event_starts_at, n.refunded_credits, n.words, CASE WHEN NOT p.gone THEN p.name END AS person,
  CASE WHEN n.people IS NOT NULL THEN
    (SELECT array_agg(named.name ORDER BY list.place) FROM unnest(n.people) WITH ORDINALITY AS list (id, place)
       JOIN users named ON named.id = list.id AND NOT named.gone) END AS names,
  CASE WHEN n.kind = 'comment' THEN
    (SELECT left(c.body, ${QUOTE_PREFIX_LENGTH}) FROM comments c WHERE c.id = n.subject_id
        AND (EXISTS (SELECT FROM events e WHERE e.id = n.event_id) OR EXISTS (SELECT FROM posts o WHERE o.id = n.post_id))) END AS quote,
  CASE WHEN n.kind = 'organizer_message' THEN
    (SELECT m.text FROM event_messages m WHERE m.id = n.subject_id) END AS message`;

/**
 * The kinds of objects, apart from events, that a notice can be about: a webhook, a decision about the reader's
 * content, the reader's report, a group, a comment, a message, or a connected app.
 */
export const OTHER_NOTICE_SUBJECTS = ['webhook', 'decision', 'report', 'group', 'comment', 'message', 'app'] as const;
export type OtherNoticeSubject = (typeof OTHER_NOTICE_SUBJECTS)[number];
export const NOTICE_SUBJECTS = ['event', ...OTHER_NOTICE_SUBJECTS] as const;
export type NoticeSubject = (typeof NOTICE_SUBJECTS)[number];

/** A notice as shown to its reader. */
export interface NoticeRow extends NoticeWords {
  readonly id: string;
  readonly subject_type: NoticeSubject;
  /** The row id of the subject, whose type is `subject_type`. */
  readonly subject_id: string;
  /**
   * The id of the event that is the subject, or to which the comment or message belongs. Null for other subjects and
   * for comments on posts.
   */
  readonly event_id: string | null;
  readonly read_at: Date | null;
  readonly created_at: Date;
}

const NOTICES = `SELECT n.id, ${NOTICE_TEXT_COLUMNS}, n.subject_type, coalesce(n.subject_id, n.event_id) AS subject_id, n.event_id, n.read_at, n.created_at
     FROM notifications n LEFT JOIN users p ON p.id = n.person_id
    WHERE n.user_id = $1`;

/** Notices of user $1 with the ids $2. */
export const NOTICES_BY_IDS = statement('notifications_by_ids', `${NOTICES} AND n.id = ANY($2)`);

/** The notices of user $1 about subjects of the types $2, newest first. $3 limit, $4 offset. */
export const NOTICES_OF = statement(
  'notifications_of',
  `${NOTICES} AND n.subject_type = ANY($2)
    ORDER BY n.id DESC LIMIT $3 OFFSET $4`,
);

export const NOTICES_TOTAL = statement(
  'notifications_total',
  'SELECT count(*)::int AS total FROM notifications WHERE user_id = $1 AND subject_type = ANY($2)',
);

export const UNREAD_NOTICES = statement(
  'notifications_unread',
  'SELECT count(*)::int AS unread FROM notifications WHERE user_id = $1 AND subject_type = ANY($2) AND read_at IS NULL',
);

/**
 * SQL: whether a notice is about the object $3 of type $2. A notice about a comment or a message is also about the
 * event or post to which the comment or message belongs. If $3 is null, the condition is whether the subject of the
 * notice has the type $2.
 */
const IS_ABOUT =
  "(subject_type = $2 AND ($3::bigint IS NULL OR coalesce(subject_id, event_id) = $3) OR $2 = 'event' AND event_id = $3 OR $2 = 'post' AND post_id = $3)";

/**
 * The main link of the mail about decision $2 to user $1. If several notices to this user about the decision contain a
 * link, the earliest of them is used.
 */
export const LINK_OF_NOTICE = statement(
  'notifications_link_of_notice',
  `SELECT words->>'link' AS link FROM notifications
    WHERE user_id = $1 AND subject_type = 'decision' AND subject_id = $2 AND words ? 'link' ORDER BY id LIMIT 1`,
);

/** The number of unread notices of user $1, and how many of them are about the object $3 of type $2. */
export const UNREAD_NOTICES_ABOUT = statement(
  'notifications_unread_about',
  `SELECT count(*)::int AS unread, (count(*) FILTER (WHERE ${IS_ABOUT}))::int AS of_subject FROM notifications WHERE user_id = $1 AND read_at IS NULL`,
);

export const IS_NOTICE_OF = statement(
  'notifications_is_of',
  'SELECT id FROM notifications WHERE user_id = $1 AND id = $2 AND subject_type = ANY($3)',
);

/**
 * Marks notice $2 of user $1 and all older notices of this user as read at $3, if their subjects have one of the types
 * $4.
 */
export const READ_NOTICES = statement(
  'notifications_read',
  'UPDATE notifications SET read_at = $3 WHERE user_id = $1 AND id <= $2 AND subject_type = ANY($4) AND read_at IS NULL RETURNING id',
);

/** Marks the notices of user $1 about the object $3 of type $2 as read at $4. */
export const READ_NOTICES_ABOUT = statement(
  'notifications_read_about',
  `UPDATE notifications SET read_at = $4 WHERE user_id = $1 AND ${IS_ABOUT} AND read_at IS NULL RETURNING id`,
);

/** Deletes at most $2 notices that were created before $1. */
export const SWEEP_NOTICES = statement(
  'notifications_sweep',
  'DELETE FROM notifications WHERE id IN (SELECT id FROM notifications WHERE created_at < $1 ORDER BY created_at LIMIT $2) RETURNING 1',
);
