import { statement } from '#platform/database/database';
import { blockedEitherWaySql, isBannedSql } from '../../identity/account-conditions.sql';
import { personColumns } from '../../identity/person.resource';

/**
 * At most $3 people who go to event $1 and show their participation. Omits people with banned accounts, people who
 * block viewer $2, and people whom $2 blocks. The organizer comes first, and then the confirmed people in the order of
 * joining.
 */
export const GOING = statement(
  'participation_going',
  `SELECT u.id, u.searchable, ${personColumns('u', 'user')}
     FROM (SELECT organizer_id AS user_id, NULL AS joined_at FROM events WHERE id = $1
           UNION ALL SELECT user_id, joined_at FROM participations WHERE event_id = $1 AND status = 'confirmed') going
     JOIN users u ON u.id = going.user_id
    WHERE u.show_participation AND NOT ${isBannedSql('u')}
      AND u.id NOT IN (${blockedEitherWaySql('$2')})
    ORDER BY going.joined_at NULLS FIRST, u.id LIMIT $3`,
);
