import { statement } from '#platform/database/database';
import { seesEventSql } from '../events/event-relation';
import { blocksSql } from '../identity/account-conditions.sql';
import type { SubjectKind } from './subject';

/** SQL: the authors of the comments in thread $3 that no moderator has removed. No rows if $3 is null. */
const THREAD_AUTHORS = 'SELECT c.author_id FROM comments c WHERE c.id = $3::bigint OR c.root_id = $3::bigint';

/**
 * SQL: whether the account `person` is not deleted, is not the author $2 of the comment, and does not block this
 * author.
 */
const IS_NOTIFIED = `person.id <> $2 AND NOT ${blocksSql('person.id', '$2')}
  AND EXISTS (SELECT FROM users u WHERE u.id = person.id AND NOT u.gone)`;

/**
 * The people to be notified of a comment by user $2 on event or post $1: the owner of the event or post, and the
 * authors of the comments in thread $3. People who do not see the event or post are left out. Nobody is notified of a
 * comment on a draft.
 */
export const CONCERNED_BY_COMMENT = {
  event: statement(
    'comments_concerned_event',
    `SELECT person.id AS user_id, NULL AS slug, NULL AS title
       FROM (SELECT o.organizer_id AS id FROM events o WHERE o.id = $1 UNION ${THREAD_AUTHORS}) AS person
       JOIN events e ON e.id = $1 LEFT JOIN participations me ON me.event_id = e.id AND me.user_id = person.id
      WHERE ${IS_NOTIFIED} AND ${seesEventSql('person.id')} ORDER BY person.id`,
  ),
  post: statement(
    'comments_concerned_post',
    `SELECT person.id AS user_id, o.slug, o.title
       FROM posts o CROSS JOIN LATERAL (SELECT o.author_id AS id UNION ${THREAD_AUTHORS}) AS person
      WHERE o.id = $1 AND o.status = 'published' AND ${IS_NOTIFIED} ORDER BY person.id`,
  ),
} as const satisfies Record<SubjectKind, unknown>;
