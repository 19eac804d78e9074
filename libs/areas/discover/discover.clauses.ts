import { pointAt } from '#platform/places/sphere';
import { spansOf } from './cells';
import type { DiscoverFilter } from './discover.filter';

/** Hands out placeholders for a clause's values: `$8`, `$9`. */
type Placeholders = readonly string[];

/**
 * One condition on a row `l` of live_events, or of live_event_changes, which has the same columns.
 * `sql` may use an index of its own. `unindexed` says the same so that none can be used: for rows that another index has found, and
 * where PostgreSQL, not knowing how common a word is, would read and sort all its events to show twenty.
 */
interface Clause {
  /** Short: all of them together name a statement, in 63 characters. */
  readonly name: string;
  readonly values: readonly unknown[];
  readonly sql: (at: Placeholders) => string;
  readonly unindexed?: (at: Placeholders) => string;
}

/** A filter's conditions as SQL, with the values they take, in the order of their placeholders. */
export interface Conditions {
  /** Equal for filters of one form, whatever their values. */
  readonly form: string;
  readonly values: readonly unknown[];
  readonly sql: string;
  readonly unindexed: string;
  /** As `unindexed`, without the place. */
  readonly unindexedButPlace: string;
}

/** Conditions whose values begin at the placeholder `$first`. */
export function conditionsOf(filter: DiscoverFilter, first: number): Conditions {
  const clauses = clausesOf(filter);
  const sql: string[] = [];
  const allUnindexed: string[] = [];
  const unindexedButPlace: string[] = [];
  const values: unknown[] = [];
  for (const clause of clauses) {
    const at = clause.values.map((_, i) => `$${first + values.length + i}`);
    values.push(...clause.values);
    const filtering = (clause.unindexed ?? clause.sql)(at);
    // Few events have a text so short that its words are many only where nothing else narrows the list down.
    sql.push(clause.name === 'scrap' && clauses.length > 1 ? filtering : clause.sql(at));
    allUnindexed.push(filtering);
    if (clause.name !== 'cell') unindexedButPlace.push(filtering);
  }
  return {
    form: clauses.map(({ name }) => name).join('_'),
    values,
    sql: all(sql),
    unindexed: all(allUnindexed),
    unindexedButPlace: all(unindexedButPlace),
  };
}

/**
 * A condition that PostgreSQL takes for met by one row of two and looks for no index for. A plan is made before anybody knows
 * which word is asked for, or how much is over; taken for rare, what nearly every event meets would have all of them read
 * and sorted to show twenty.
 */
export function unindexed(condition: string): string {
  return `CASE WHEN ${condition} THEN true END`;
}

function all(conditions: readonly string[]): string {
  return conditions.map((condition) => ` AND ${condition}`).join('');
}

function clausesOf({
  text,
  type,
  source,
  from,
  until,
  minParticipants,
  seeking,
  near,
  price,
  box,
  ids,
  organizer,
  groupId,
  seriesId,
}: DiscoverFilter): Clause[] {
  const cells = near?.cells ?? box?.cells;
  return [
    ...(cells
      ? [{ name: 'cell', values: [cells], sql: ([at]: Placeholders) => `l.cell = ANY (${at}::integer[])` }]
      : []),
    ...(near ? [circle(near)] : []),
    ...(box ? [inBox(box)] : []),
    ...(ids === null ? [] : [named('ids', ids, (at) => `l.id = ANY (${at}::bigint[])`)]),
    ...(organizer === null
      ? []
      : [named('org', organizer, (at) => `l.organizer_id = (SELECT u.id FROM users u WHERE u.slug = ${at})`)]),
    ...(groupId === null ? [] : [named('group', groupId, (at) => `l.group_id = ${at}`)]),
    ...(seriesId === null ? [] : [named('series', seriesId, (at) => `l.series_id = ${at}`)]),
    ...(text ? [TEXT[text.match](text.q)] : []),
    ...(type ? [{ name: 'type', values: [type], sql: ([wanted]: Placeholders) => `l.type = ${wanted}` }] : []),
    ...(source
      ? [
          {
            name: source === 'editorial' ? 'ed' : 'user',
            values: [],
            sql: () => (source === 'editorial' ? 'l.imported' : 'NOT l.imported'),
          },
        ]
      : []),
    ...(seeking ? [{ name: 'co', values: [], sql: () => 'l.seeking' }] : []),
    ...(from ? [{ name: 'from', values: [from], sql: ([day]: Placeholders) => `l.starts_at >= ${day}` }] : []),
    ...(until ? [{ name: 'to', values: [until], sql: ([day]: Placeholders) => `l.starts_at < ${day}` }] : []),
    ...(price ? [{ name: price, values: [], sql: () => `${price === 'free' ? '' : 'NOT '}l.free` }] : []),
    ...(minParticipants === null
      ? []
      : [{ name: 'crowd', values: [minParticipants], sql: ([n]: Placeholders) => `l.participants >= ${n}` }]),
  ];
}

/** A condition with an index of its own, which a scan in the list's order must not leave for it. */
function named(name: string, value: unknown, sql: (at: string) => string): Clause {
  return { name, values: [value], sql: ([at = '']) => sql(at), unindexed: ([at = '']) => unindexed(sql(at)) };
}

/** Events without a place have no coordinates, and are out. */
function inBox(box: NonNullable<DiscoverFilter['box']>): Clause {
  const [one, other] = spansOf(box);
  const sql = ([south, north, west, east, west2, east2]: Placeholders): string =>
    `l.latitude BETWEEN ${south}::float8 AND ${north}::float8 AND (l.longitude BETWEEN ${west}::float8 AND ${east}::float8` +
    (other ? ` OR l.longitude BETWEEN ${west2}::float8 AND ${east2}::float8)` : ')');
  return {
    name: other ? 'boxes' : 'box',
    values: [box.south, box.north, ...(one ?? []), ...(other ?? [])],
    sql,
    unindexed: (at) => unindexed(sql(at)),
  };
}

/** Events without a place have no coordinates, and are out. */
function circle({ lat, lng, chord }: NonNullable<DiscoverFilter['near']>): Clause {
  const { x, y, z } = pointAt({ lat, lng });
  return {
    name: 'km',
    values: [x, y, z, chord * chord],
    sql: ([x0, y0, z0, square]) =>
      `(l.x - ${x0}::float8) * (l.x - ${x0}::float8) + (l.y - ${y0}::float8) * (l.y - ${y0}::float8)` +
      ` + (l.z - ${z0}::float8) * (l.z - ${z0}::float8) <= ${square}::float8`,
  };
}

/** In a subquery the query is folded once a statement, and by the very function that folded the events. */
const PART = (q: string): string => `(SELECT '%' || f_fold_words(${q}) || '%')`;

/** By the index of words; what changed a moment ago may have words that are not known yet, and is looked through itself. */
function byPart(at: string): string {
  return (
    `(f_words(l.folded) @@ (SELECT f_part_query(${at})) OR l.id = ANY (ARRAY(SELECT c.id FROM live_event_changes c WHERE NOT c.counted_in AND c.sign = 1)))` +
    ` AND ${unindexed(`l.folded LIKE ${PART(at)}`)}`
  );
}

const TEXT: Record<NonNullable<DiscoverFilter['text']>['match'], (q: string) => Clause> = {
  words: (q) => ({
    name: 'words',
    values: [q],
    sql: ([at = '']) => `f_words(l.folded) @@ (SELECT f_prefix_query(${at}))`,
    unindexed: ([at = '']) => unindexed(`l.folded LIKE ALL ((SELECT f_prefix_patterns(${at}))::text[])`),
  }),
  part: (q) => ({
    name: 'part',
    values: [q],
    sql: ([at = '']) => byPart(at),
    unindexed: ([at = '']) => unindexed(`l.folded LIKE ${PART(at)}`),
  }),
  scrap: (q) => ({
    name: 'scrap',
    values: [q],
    sql: ([at = '']) => byPart(at),
    unindexed: ([at = '']) => unindexed(`l.folded LIKE ${PART(at)}`),
  }),
};
