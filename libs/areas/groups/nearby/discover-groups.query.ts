import { statement, type Statement } from '#platform/database/database';
import { hasWordsSql } from '#platform/database/word-search';
import { arcAbove, degreesOfLatitude, lineBelow, onSphere } from '#platform/places/sphere';
import { GROUP_COLUMNS, GROUP_JOINS } from '../group.resource';

/** SQL of the point with latitude $2 and longitude $3. */
const HERE = onSphere('$2', '$3');
const REACH = lineBelow('$4');

/** Listed in searches. */
const IS_LISTED = 'g.is_public';
const LISTED = `${IS_LISTED} AND g.latitude IS NOT NULL`;

/** Degrees of latitude that $4 kilometres span. */
const BAND = degreesOfLatitude('$4');

/** Groups of $1 as founder or member. An invitation or a request does not count. */
const IS_MEMBER = `mine.role IN ('owner', 'member')`;
const IS_NO_MEMBER = `NOT EXISTS (SELECT 1 FROM group_members mine WHERE mine.group_id = g.id AND mine.user_id = $1 AND ${IS_MEMBER})`;

/**
 * Public groups within $4 km of $2, $3 without those of $1, nearest first by great-circle distance. $5 limit, $6
 * offset. The nearest ones are read from the index, which sorts by the same distance, and cut off at the radius
 * afterwards: with the radius as an inner condition, the planner would read all groups within it and sort them.
 */
export const NEAREST_GROUPS = statement(
  'groups_nearest',
  `SELECT ${GROUP_COLUMNS}, ${arcAbove('nearest.line')} AS distance_km
     FROM (SELECT g.id, g.place <-> ${HERE} AS line FROM groups g
            WHERE ${LISTED} AND ${IS_NO_MEMBER} ORDER BY line, g.id LIMIT $5 OFFSET $6) nearest
     JOIN groups g ON g.id = nearest.id ${GROUP_JOINS}
    WHERE nearest.line <= ${REACH} ORDER BY nearest.line, g.id`,
);

/**
 * The total of NEAREST_GROUPS. Cells entirely within the radius have stored counts, groups in cells on its edge are
 * counted with an index-only scan, and the groups of $1 are subtracted.
 */
export const NEAREST_GROUPS_TOTAL = statement(
  'groups_nearest_total',
  `WITH touched AS MATERIALIZED (
     SELECT cell, groups, (centre <-> ${HERE}) + span <= ${REACH} AS whole FROM group_cells
      WHERE cell BETWEEN f_cell(greatest($2 - ${BAND} - 0.01, -90), -180) AND f_cell(least($2 + ${BAND} + 0.01, 90), 180)
        AND groups > 0 AND centre <-> ${HERE} <= ${REACH} + span)
   SELECT (coalesce((SELECT sum(groups) FROM touched WHERE whole), 0)
         + coalesce((SELECT sum(edge.groups) FROM touched CROSS JOIN LATERAL (
             SELECT count(*) AS groups FROM groups g
              WHERE g.cell = touched.cell AND ${LISTED} AND g.place <-> ${HERE} <= ${REACH}) edge WHERE NOT whole), 0)
         - (SELECT count(*) FROM group_members mine JOIN groups g ON g.id = mine.group_id
             WHERE mine.user_id = $1 AND ${IS_MEMBER} AND ${LISTED} AND g.place <-> ${HERE} <= ${REACH}))::int AS total`,
);

/** Public groups without those of $1, newest first: an index scan. $2 limit, $3 offset. */
export const NEWEST_GROUPS = statement(
  'groups_newest',
  `SELECT ${GROUP_COLUMNS} FROM groups g ${GROUP_JOINS}
    WHERE ${IS_LISTED} AND ${IS_NO_MEMBER} ORDER BY g.created_at DESC, g.id DESC LIMIT $2 OFFSET $3`,
);

export const NEWEST_GROUPS_TOTAL = statement(
  'groups_newest_total',
  `SELECT (coalesce((SELECT sum(groups) FROM group_cells), 0)
         - (SELECT count(*) FROM group_members mine JOIN groups g ON g.id = mine.group_id
             WHERE mine.user_id = $1 AND ${IS_MEMBER} AND g.is_public))::int AS total`,
);

const FOLDED = 'f_folded(g.name, g.description, g.location_name)';
/** SQL: whether the group is within $4 km of $2, $3; true if all three are null. */
const WITHIN = `($2::float8 IS NULL OR g.latitude IS NOT NULL AND g.place <-> ${HERE} <= ${REACH})`;

/**
 * Public groups that contain the words $5 (null: all groups) and are within the radius: nearest first, or newest first
 * without a place. The groups of $1 are included only with `ownToo`. $6 limit, $7 offset.
 */
function explored(byWords: boolean, ownToo: boolean): { list: Statement; total: Statement } {
  const from = `WHERE ${IS_LISTED} AND ${WITHIN} AND ${byWords ? hasWordsSql(FOLDED, '$5::text') : '$5::text IS NULL'}${ownToo ? '' : ` AND ${IS_NO_MEMBER}`}`;
  const name = `groups_${ownToo ? 'explored' : 'discovered'}${byWords ? '_by_words' : ''}`;
  return {
    list: statement(
      name,
      `SELECT ${GROUP_COLUMNS}, CASE WHEN $2::float8 IS NULL THEN NULL ELSE ${arcAbove(`(g.place <-> ${HERE})`)} END AS distance_km
      FROM groups g ${GROUP_JOINS} ${from}
     ORDER BY CASE WHEN $2::float8 IS NULL THEN NULL ELSE g.place <-> ${HERE} END, g.created_at DESC, g.id DESC LIMIT $6 OFFSET $7`,
    ),
    total: statement(`${name}_total`, `SELECT count(*)::int AS total FROM groups g ${from} AND $1::bigint IS NOT NULL`),
  };
}

export const EXPLORED_GROUPS = { any: explored(false, true), byWords: explored(true, true) };

/** Only groups to which $1 does not belong. */
export const DISCOVERED_BY_WORDS = explored(true, false);

/** The newest $1 public groups. */
export const LISTED_GROUP_IDS = statement(
  'groups_listed_ids',
  `SELECT g.id FROM groups g WHERE ${IS_LISTED} ORDER BY g.created_at DESC, g.id DESC LIMIT $1`,
);
