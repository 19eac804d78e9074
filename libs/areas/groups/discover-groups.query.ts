import { statement } from '#platform/database/database';
import { GROUP_COLUMNS, GROUP_JOINS } from './group.resource';

/** Kilometres, of the sphere on which distances are measured. */
const EARTH_RADIUS = 6371;

/** The place $2 (latitude), $3 (longitude) as a point on the unit sphere, as `groups.place` is; worked out once a query. */
const HERE = '(SELECT f_on_sphere($2, $3))';

/** A straight line through the unit sphere that spans an arc of $4 kilometres; the longer the arc, the longer the line. */
const REACH = `(SELECT 2 * sin($4::float8 / ${2 * EARTH_RADIUS}))`;

/** The arc of a straight line through the unit sphere, in kilometres. */
const arcOf = (line: string): string => `${2 * EARTH_RADIUS} * asin(least(1, ${line} / 2))`;

const LISTED = 'g.is_public AND g.latitude IS NOT NULL';

/** Nobody within reach is further north or south: this much is for the index (a hair wider), the line is exact. */
const WITHIN_REACH = `g.latitude BETWEEN $2 - degrees($4::float8 / ${EARTH_RADIUS}) - 1e-9 AND $2 + degrees($4::float8 / ${EARTH_RADIUS}) + 1e-9
  AND g.place <-> ${HERE} <= ${REACH}`;

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
  `SELECT ${GROUP_COLUMNS}, ${arcOf('nearest.line')} AS distance_km
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
