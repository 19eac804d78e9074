import { LIMITS } from '#contract/limits';
import { statement } from '#platform/database/database';
import { PRAGUE_ZONE } from '#platform/time/prague';

/** A door link of an event. */
export interface DoorLinkRow {
  readonly id: string;
  readonly event_id: string;
  readonly name: string;
  readonly last_used_at: Date | null;
  readonly created_at: Date;
  /** The current end of the event plus `LIMITS.door.links.after_end`, but at the latest `LAST_INSTANT`. */
  readonly expires_at: Date;
}

/** The latest time that a response can contain. No door link expires later. */
const LAST_INSTANT = `make_timestamptz(${LIMITS.years.max}, 12, 31, 23, 59, 59, '${PRAGUE_ZONE}')`;
const EXPIRES_AT = `least(e.over_at + make_interval(secs => ${LIMITS.door.links.after_end}), ${LAST_INSTANT})`;
const COLUMNS = `l.id, l.event_id, l.name, l.last_used_at, l.created_at, ${EXPIRES_AT} AS expires_at`;

/** The door links of event $1 that have not expired at $2, the oldest first. $3 limit, $4 offset. */
export const DOOR_LINKS = statement(
  'door_links_of',
  `SELECT ${COLUMNS} FROM door_links l JOIN events e ON e.id = l.event_id
    WHERE l.event_id = $1 AND ${EXPIRES_AT} > $2 ORDER BY l.id LIMIT $3 OFFSET $4`,
);
export const COUNT_DOOR_LINKS = statement(
  'door_links_count',
  `SELECT count(*)::int AS total FROM door_links l JOIN events e ON e.id = l.event_id WHERE l.event_id = $1 AND ${EXPIRES_AT} > $2`,
);

/**
 * Stores a door link of event $1 with the name $2, the hash $3 of its secret and the current time $5. $4 is the grant
 * of the app that creates the link, or null if no app creates it.
 */
export const INSERT_DOOR_LINK = statement(
  'door_links_insert',
  `WITH l AS (INSERT INTO door_links (event_id, name, hash, grant_id, created_at) VALUES ($1, $2, $3, $4, $5) RETURNING *)
   SELECT ${COLUMNS} FROM l JOIN events e ON e.id = l.event_id`,
);

export const DELETE_DOOR_LINK = statement(
  'door_links_delete',
  'DELETE FROM door_links WHERE event_id = $1 AND id = $2 RETURNING id',
);

/** Records a use of link $1 at $2, unless a use at or after $3 is already recorded. */
export const TOUCH_DOOR_LINK = statement(
  'door_links_touch',
  'UPDATE door_links SET last_used_at = $2 WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < $3)',
);
