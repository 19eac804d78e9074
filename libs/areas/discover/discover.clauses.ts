import { pointAt } from '#platform/places/sphere';
import { spansOf } from './cells';
import type { DiscoverFilter } from './discover.filter';

/** Placeholders for the values of a clause, for example `$8` and `$9`. */
type Placeholders = readonly string[];

/**
 * A condition on a row `l` of live_events or of live_event_changes. Both tables have all columns that clauses use.
 * `sql` may use an index. `unindexed` is the same condition in a form that cannot use an index; if it is absent, `sql`
 * is used instead. The unindexed form filters rows that another index finds, for example in the order of the list.
 * PostgreSQL does not know how many events match. With `sql`, it might read and sort all of them to show twenty.
 */
interface Clause {
  /** A short name. The names of all clauses are part of the statement's name. */
  readonly name: string;
  readonly values: readonly unknown[];
  readonly sql: (at: Placeholders) => string;
  readonly unindexed?: (at: Placeholders) => string;
}

/** A filter's conditions as SQL, and their values in the order of the placeholders. */
export interface Conditions {
  /** The names of the clauses. All filters that differ only in values have the same form. */
  readonly form: string;
  readonly values: readonly unknown[];
  readonly sql: string;
  readonly unindexed: string;
  /** Like `unindexed`, without the condition on the cells. */
  readonly unindexedWithoutCells: string;
}

/** The filter's conditions; `first` is the number of the first placeholder for their values. */
export function conditionsOf(filter: DiscoverFilter, first: number): Conditions {
  const clauses = clausesOf(filter);
  const sql: string[] = [];
  const allUnindexed: string[] = [];
  const unindexedWithoutCells: string[] = [];
  const values: unknown[] = [];
  for (const clause of clauses) {
    const at = clause.values.map((_, i) => `$${first + values.length + i}`);
    values.push(...clause.values);
    const withoutIndex = (clause.unindexed ?? clause.sql)(at);
    // For a text with only short words, the index is useful only if no other clause narrows the list.
    sql.push(clause.name === 'short' && clauses.length > 1 ? withoutIndex : clause.sql(at));
    allUnindexed.push(withoutIndex);
    if (clause.name !== 'cell') unindexedWithoutCells.push(withoutIndex);
  }
  return {
    form: clauses.map(({ name }) => name).join('_'),
    values,
    sql: joinedByAnd(sql),
    unindexed: joinedByAnd(allUnindexed),
    unindexedWithoutCells: joinedByAnd(unindexedWithoutCells),
  };
}

/**
 * Returns the condition in a form for which PostgreSQL uses no index and estimates that half of the rows match. For any
 * other form, PostgreSQL estimates that few events match, because it plans the statement before it knows the values. If
 * nearly all events match, such a plan reads and sorts all of them to show twenty.
 */
export function unindexed(condition: string): string {
  return `CASE WHEN ${condition} THEN true END`;
}

function joinedByAnd(conditions: readonly string[]): string {
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
    ...(ids === null
      ? []
      : [{ name: 'ids', values: [ids], sql: ([at]: Placeholders) => `l.id = ANY (${at}::bigint[])` }]),
    ...(organizer === null
      ? []
      : [
          {
            name: 'org',
            values: [organizer],
            sql: ([at]: Placeholders) => `l.organizer_id = (SELECT u.id FROM users u WHERE u.slug = ${at})`,
          },
        ]),
    ...(groupId === null
      ? []
      : [{ name: 'group', values: [groupId], sql: ([at]: Placeholders) => `l.group_id = ${at}` }]),
    ...(seriesId === null
      ? []
      : [{ name: 'series', values: [seriesId], sql: ([at]: Placeholders) => `l.series_id = ${at}` }]),
    ...(text ? [TEXT[text.match](text.q)] : []),
    ...(type ? [{ name: 'type', values: [type], sql: ([eventType]: Placeholders) => `l.type = ${eventType}` }] : []),
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

/** Events without a place have no coordinates and never match. */
function inBox(box: NonNullable<DiscoverFilter['box']>): Clause {
  const [span, secondSpan] = spansOf(box);
  const sql = ([south, north, west, east, west2, east2]: Placeholders): string =>
    `l.latitude BETWEEN ${south}::float8 AND ${north}::float8 AND (l.longitude BETWEEN ${west}::float8 AND ${east}::float8` +
    (secondSpan ? ` OR l.longitude BETWEEN ${west2}::float8 AND ${east2}::float8)` : ')');
  return {
    name: secondSpan ? 'boxes' : 'box',
    values: [box.south, box.north, ...(span ?? []), ...(secondSpan ?? [])],
    sql,
    unindexed: (at) => unindexed(sql(at)),
  };
}

/** Events without a place have no coordinates and never match. */
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

/**
 * SQL: whether the event contains the searched text. The subquery folds the searched text (lower case, without
 * diacritics) once per statement. The texts of the events were folded by the same function. `folded_text` is null until
 * the job `discover-sweep` has filled it after an upgrade.
 */
const containsSql = (at: string): string =>
  unindexed(`strpos(coalesce(l.folded_text, l.folded), (SELECT f_fold_text(${at}))) > 0`);

/**
 * Like `containsSql`, but uses the index of words. The table of known words (`live_words`) does not yet contain the
 * words of the latest changes, so the rows of these changes are searched directly.
 */
function containsByIndexSql(at: string): string {
  return (
    `(f_words(l.folded) @@ (SELECT f_part_query(${at})) OR l.id = ANY (ARRAY(SELECT c.id FROM live_event_changes c WHERE NOT c.counted_in AND c.sign = 1)))` +
    ` AND ${containsSql(at)}`
  );
}

function substringClause(name: string): (q: string) => Clause {
  return (q) => ({
    name,
    values: [q],
    sql: ([at = '']) => containsByIndexSql(at),
    unindexed: ([at = '']) => containsSql(at),
  });
}

const TEXT: Record<NonNullable<DiscoverFilter['text']>['match'], (q: string) => Clause> = {
  words: (q) => ({
    name: 'words',
    values: [q],
    sql: ([at = '']) => `f_words(l.folded) @@ (SELECT f_prefix_query(${at}))`,
    unindexed: ([at = '']) => unindexed(`l.folded LIKE ALL ((SELECT f_prefix_patterns(${at}))::text[])`),
  }),
  part: substringClause('part'),
  short: substringClause('short'),
  symbols: (q) => ({ name: 'symbols', values: [q], sql: ([at = '']) => containsSql(at) }),
};
