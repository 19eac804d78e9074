import { statement } from '#platform/database/database';
import { arcAbove, latitudesWithin, lineBelow, onSphere } from '#platform/database/sphere';
import { GROUP_COLUMNS, GROUP_JOINS } from './group.resource';

/** The place $2 (latitude), $3 (longitude). */
const HERE = onSphere('$2', '$3');
const REACH = lineBelow('$4');

const LISTED = 'g.is_public AND g.latitude IS NOT NULL';

/** The latitude is for the index, the line is exact. */
const WITHIN_REACH = `${latitudesWithin('g.latitude', '$2', '$4')} AND g.place <-> ${HERE} <= ${REACH}`;

/** Groups $1 is in, as founder or member. An invitation or a request is not being in it. */
const IN_IT = `mine.role IN ('owner', 'member')`;
const NOT_IN_IT = `NOT EXISTS (SELECT 1 FROM group_members mine WHERE mine.group_id = g.id AND mine.user_id = $1 AND ${IN_IT})`;

/**
 * Public groups within $4 km of $2, $3 that $1 is not in, nearest first by great-circle distance. $5 limit, $6 offset.
 * The nearest are walked to in the index, which sorts as the distance does, and cut off at the radius afterwards: were
 * the radius asked for inside, the planner would gather all within it and sort them.
 */
export const NEAREST_GROUPS = statement(
  'groups_nearest',
  `SELECT ${GROUP_COLUMNS}, ${arcAbove('nearest.line')} AS distance_km
     FROM (SELECT g.id, g.place <-> ${HERE} AS line FROM groups g
            WHERE ${LISTED} AND ${NOT_IN_IT} ORDER BY line, g.id LIMIT $5 OFFSET $6) nearest
     JOIN groups g ON g.id = nearest.id ${GROUP_JOINS}
    WHERE nearest.line <= ${REACH} ORDER BY nearest.line, g.id`,
);

/** All of them, less those $1 is in. The first count never leaves its index. */
export const NEAREST_GROUPS_TOTAL = statement(
  'groups_nearest_total',
  `SELECT (SELECT count(*) FROM groups g WHERE ${LISTED} AND ${WITHIN_REACH})::int
        - (SELECT count(*) FROM group_members mine JOIN groups g ON g.id = mine.group_id
            WHERE mine.user_id = $1 AND ${IN_IT} AND ${LISTED} AND ${WITHIN_REACH})::int AS total`,
);

/** Public groups that $1 is not in, newest first: an index walk. $2 limit, $3 offset. */
export const NEWEST_GROUPS = statement(
  'groups_newest',
  `SELECT ${GROUP_COLUMNS} FROM groups g ${GROUP_JOINS}
    WHERE g.is_public AND ${NOT_IN_IT} ORDER BY g.created_at DESC, g.id DESC LIMIT $2 OFFSET $3`,
);

export const NEWEST_GROUPS_TOTAL = statement(
  'groups_newest_total',
  `SELECT (SELECT count(*) FROM groups g WHERE g.is_public)::int
        - (SELECT count(*) FROM group_members mine JOIN groups g ON g.id = mine.group_id
            WHERE mine.user_id = $1 AND ${IN_IT} AND g.is_public)::int AS total`,
);
