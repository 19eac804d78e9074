import { LIMITS } from '#contract/limits';
import { statement } from '#platform/database/database';
import { HAS_MANUAL_WAITLIST_SQL, isOpenSql } from '../events/event-relation';
import { blocksSql } from '../identity/account-conditions.sql';

const DIGEST_INTERVAL = `interval '${LIMITS.notices.digest} seconds'`;

/**
 * At most $2 digests that are due at $1. A digest is a notice to the organizer that counts several people. `DIGESTS`
 * lists the kinds of digests. A digest is due if the column `digest` of `participations` marks people for it, the event
 * is visible, and no digest of the same kind was written for the event in the last hour.
 */
export const DUE_DIGESTS = statement(
  'participation_due_digests',
  `SELECT p.event_id, p.digest FROM (SELECT DISTINCT event_id, digest FROM participations WHERE digest IS NOT NULL) p
    WHERE NOT EXISTS (SELECT FROM event_digests d WHERE d.event_id = p.event_id AND d.kind = p.digest AND d.written_at > $1::timestamptz - ${DIGEST_INTERVAL})
      AND EXISTS (SELECT FROM events e WHERE e.id = p.event_id)
    ORDER BY p.event_id, p.digest LIMIT $2`,
);

/**
 * Removes the marks (column `digest`) of the people who are marked for digest $2 of event $1, and returns these people.
 * $3 is now. The calling code has locked the event.
 *
 * - If the event is hidden, or if a digest of this kind was written in the last hour, the statement does nothing and
 *   returns no rows.
 * - The people are ordered by the time at which they joined, or at which their rows last changed if they have not
 *   joined.
 * - `counted` shows whether the digest counts the person: the event is neither cancelled nor over, and the organizer
 *   does not block the person. For the digest `waitlisted`, the waitlist mode of the event must also be `manual`
 *   (JOIN-53).
 */
export const TAKE_DIGEST = statement(
  'participation_take_digest',
  `WITH taken AS (
     UPDATE participations p SET digest = NULL
      WHERE p.event_id = $1 AND p.digest = $2
        AND NOT EXISTS (SELECT FROM event_digests d WHERE d.event_id = $1 AND d.kind = $2 AND d.written_at > $3::timestamptz - ${DIGEST_INTERVAL})
        AND EXISTS (SELECT FROM events e WHERE e.id = $1)
     RETURNING p.user_id, coalesce(p.joined_at, p.updated_at) AS order_time)
   SELECT t.user_id, ${isOpenSql('$3')} AND ($2 <> 'waitlisted' OR ${HAS_MANUAL_WAITLIST_SQL}) AND NOT ${blocksSql('e.organizer_id', 't.user_id')} AS counted
     FROM taken t, events e WHERE e.id = $1 ORDER BY t.order_time, t.user_id`,
);

export const STORE_DIGEST_TIME = statement(
  'participation_store_digest_time',
  `INSERT INTO event_digests (event_id, kind, written_at) VALUES ($1, $2, $3)
   ON CONFLICT (event_id, kind) DO UPDATE SET written_at = excluded.written_at`,
);
