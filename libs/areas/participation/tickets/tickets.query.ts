import { statement } from '#platform/database/database';
import { personColumns } from '../../identity/person.resource';

/** Tickets `t`, each with the person who joined with it. The columns of the person are null for an unused ticket. */
export const SELECT_TICKETS = `SELECT t.code, t.used_at, t.created_at, ${personColumns('u', 'user')}
  FROM tickets t LEFT JOIN users u ON u.id = t.used_by`;

/** The tickets with the ids $1. */
export const TICKETS_BY_IDS = statement(
  'participation_tickets_by_ids',
  `SELECT named.id, t.* FROM unnest($1::bigint[]) AS named (id)
     CROSS JOIN LATERAL (${SELECT_TICKETS} WHERE t.id = named.id) t`,
);
