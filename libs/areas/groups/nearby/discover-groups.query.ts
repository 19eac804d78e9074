import { statement, type Statement } from '#platform/database/database';
import { hasWordsSql } from '#platform/database/word-search';
import { arcSql, degreesOfLatitude, chordSql, onSphere } from '#platform/places/sphere';
import { GROUP_COLUMNS, GROUP_JOINS } from '../group.resource';

/** SQL: the point with latitude $2 and longitude $3, from which distances are measured. */
const CENTRE = onSphere('$2', '$3');
/** SQL: the radius of $4 kilometres, converted to the straight-line distance between points on the unit sphere. */
const RADIUS = chordSql('$4');

/** SQL: whether group `g` appears in lists and search results. */
const IS_LISTED = 'g.is_public';
/** SQL: whether group `g` appears in the results of searches near a place. */
const IS_LISTED_NEARBY = `${IS_LISTED} AND g.latitude IS NOT NULL`;

/** SQL: the number of degrees of latitude that $4 kilometres span. */
const LATITUDE_SPAN = degreesOfLatitude('$4');

/**
 * SQL: whether the row `mine` of group_members belongs to the owner or a member. A person who is invited or has asked
 * to join is not a member.
 */
const IS_MEMBER = `mine.role IN ('owner', 'member')`;
const IS_NOT_MEMBER = `NOT EXISTS (SELECT 1 FROM group_members mine WHERE mine.group_id = g.id AND mine.user_id = $1 AND ${IS_MEMBER})`;

/**
 * Public groups within $4 km of latitude $2 and longitude $3, to which user $1 does not belong. The nearest group by
 * great-circle distance comes first. $5 is the limit, $6 the offset. The inner query reads the nearest groups from the
 * index. The outer query omits groups beyond the radius. If the radius were a condition of the inner query, the
 * database would read and sort all groups within the radius.
 */
export const NEAREST_GROUPS = statement(
  'groups_nearest',
  `SELECT ${GROUP_COLUMNS}, ${arcSql('nearest.line')} AS distance_km
     FROM (SELECT g.id, g.place <-> ${CENTRE} AS line FROM groups g
            WHERE ${IS_LISTED_NEARBY} AND ${IS_NOT_MEMBER} ORDER BY line, g.id LIMIT $5 OFFSET $6) nearest
     JOIN groups g ON g.id = nearest.id ${GROUP_JOINS}
    WHERE nearest.line <= ${RADIUS} ORDER BY nearest.line, g.id`,
);

/**
 * The total of NEAREST_GROUPS. A cell is a square of the map with sides of a tenth of a degree. For cells entirely
 * within the radius, the stored numbers of groups are added up. In cells at the edge, the groups are counted with an
 * index-only scan. The groups of user $1 are subtracted.
 */
export const NEAREST_GROUPS_TOTAL = statement(
  'groups_nearest_total',
  `WITH touched AS MATERIALIZED (
     SELECT cell, groups, (centre <-> ${CENTRE}) + span <= ${RADIUS} AS whole FROM group_cells
      WHERE cell BETWEEN f_cell(greatest($2 - ${LATITUDE_SPAN} - 0.01, -90), -180) AND f_cell(least($2 + ${LATITUDE_SPAN} + 0.01, 90), 180)
        AND groups > 0 AND centre <-> ${CENTRE} <= ${RADIUS} + span)
   SELECT (coalesce((SELECT sum(groups) FROM touched WHERE whole), 0)
         + coalesce((SELECT sum(edge.groups) FROM touched CROSS JOIN LATERAL (
             SELECT count(*) AS groups FROM groups g
              WHERE g.cell = touched.cell AND ${IS_LISTED_NEARBY} AND g.place <-> ${CENTRE} <= ${RADIUS}) edge WHERE NOT whole), 0)
         - (SELECT count(*) FROM group_members mine JOIN groups g ON g.id = mine.group_id
             WHERE mine.user_id = $1 AND ${IS_MEMBER} AND ${IS_LISTED_NEARBY} AND g.place <-> ${CENTRE} <= ${RADIUS}))::int AS total`,
);

/** Public groups to which user $1 does not belong, the newest first. $2 is the limit, $3 the offset. */
export const NEWEST_GROUPS = statement(
  'groups_newest',
  `SELECT ${GROUP_COLUMNS} FROM groups g ${GROUP_JOINS}
    WHERE ${IS_LISTED} AND ${IS_NOT_MEMBER} ORDER BY g.created_at DESC, g.id DESC LIMIT $2 OFFSET $3`,
);

/**
 * The total of NEWEST_GROUPS: the sum of all cells, minus the groups of user $1. The cells include cell -1, which
 * counts the groups without coordinates.
 */
export const NEWEST_GROUPS_TOTAL = statement(
  'groups_newest_total',
  `SELECT (coalesce((SELECT sum(groups) FROM group_cells), 0)
         - (SELECT count(*) FROM group_members mine JOIN groups g ON g.id = mine.group_id
             WHERE mine.user_id = $1 AND ${IS_MEMBER} AND ${IS_LISTED}))::int AS total`,
);

/** SQL: the words of group `g` that a search compares, in lower case and without accents. */
const FOLDED = 'f_folded(g.name, g.description, g.location_name)';
/** SQL: whether the group is within $4 km of latitude $2 and longitude $3. Always true if $2 is null. */
const WITHIN = `($2::float8 IS NULL OR g.latitude IS NOT NULL AND g.place <-> ${CENTRE} <= ${RADIUS})`;

/**
 * Statements that search public groups within the radius, or all public groups if no place is given ($2 is null).
 * `byWords`: only groups that contain the words $5; otherwise $5 must be null. The nearest group comes first, or the
 * newest group if no place is given. `includesOwn`: also groups to which user $1 belongs. $6 is the limit, $7 the
 * offset. The last condition of `total` is always true. Without this condition, `total` might not use $1, and
 * PostgreSQL would refuse the statement.
 */
function searchStatements(byWords: boolean, includesOwn: boolean): { list: Statement; total: Statement } {
  const where = `WHERE ${IS_LISTED} AND ${WITHIN} AND ${byWords ? hasWordsSql(FOLDED, '$5::text') : '$5::text IS NULL'}${includesOwn ? '' : ` AND ${IS_NOT_MEMBER}`}`;
  const name = `groups_${includesOwn ? 'explored' : 'discovered'}${byWords ? '_by_words' : ''}`;
  return {
    list: statement(
      name,
      `SELECT ${GROUP_COLUMNS}, CASE WHEN $2::float8 IS NULL THEN NULL ELSE ${arcSql(`(g.place <-> ${CENTRE})`)} END AS distance_km
      FROM groups g ${GROUP_JOINS} ${where}
     ORDER BY CASE WHEN $2::float8 IS NULL THEN NULL ELSE g.place <-> ${CENTRE} END, g.created_at DESC, g.id DESC LIMIT $6 OFFSET $7`,
    ),
    total: statement(
      `${name}_total`,
      `SELECT count(*)::int AS total FROM groups g ${where} AND $1::bigint IS NOT NULL`,
    ),
  };
}

/** The statements for the web pages. `any`: for searches without words. */
export const SEARCHED_GROUPS = { any: searchStatements(false, true), byWords: searchStatements(true, true) };

/** Like `SEARCHED_GROUPS.byWords`, but without groups to which user $1 belongs. */
export const SEARCHED_GROUPS_WITHOUT_OWN = searchStatements(true, false);

/** The ids of the $1 newest public groups, the newest first. */
export const LISTED_GROUP_IDS = statement(
  'groups_listed_ids',
  `SELECT g.id FROM groups g WHERE ${IS_LISTED} ORDER BY g.created_at DESC, g.id DESC LIMIT $1`,
);
