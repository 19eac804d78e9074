import { hash } from 'node:crypto';
import { LIMITS } from '#contract/limits';
import { shortRead, statement, type Statement } from '#platform/database/database';
import {
  VIEWER_AND_SEAT_COLUMNS,
  SHARED_COLUMNS,
  SHARED_FINGERPRINT,
  sharedJoins,
  viewerColumns,
  viewerJoins,
  type ViewerEventRow,
} from '../participation/event-for-viewer.resource';
import { conditionsOf, unindexed, type Conditions } from './discover.clauses';
import {
  exactCount,
  FOR_VIEWER,
  hiddenCount,
  NOT_OVER,
  changesSinceTotals,
  SNAPSHOT,
  STANDBY_SNAPSHOT,
  UPDATED_TOTALS,
} from './discover.counting';
import { isShortTextOnly, type DiscoverFilter } from './discover.filter';
import { DEFAULT_ORDER, orderSql, type DiscoverOrder, type OrderSql } from './discover.order';

/**
 * How a page is found. `scan` reads the index in the order of the list until the page is full, which is fast if many
 * events match. `sort` reads and sorts all matches, which is fast if few events match. `count` is for a search text
 * whose total is not known: it counts the matches first, or reads their number from stored counts (`f_gram_total`), and
 * then uses `scan` or `sort`.
 */
export type PagePlan = 'scan' | 'sort' | 'count';

/** If at least this number of events match, a scan fills a page fast enough. */
export const COMMON_FROM = 2_000;

/** Totals at a point in time, from which later totals are computed. */
export interface Counted {
  /** The number of matching events, including events that are hidden from the viewer. */
  readonly listed: number;
  /** The number of these events that are hidden from the viewer; null if not counted. */
  readonly hidden: number | null;
  /**
   * PostgreSQL's snapshot at the time of the count. Changes that this snapshot does not contain happened after the
   * count.
   */
  readonly snapshot: string;
  /** The time of the count. Events that ended after this time were counted. */
  readonly at: Date;
}

export interface DiscoverRequest {
  readonly viewerId: number;
  readonly now: Date;
  readonly limit: number;
  readonly offset: number;
  readonly filter: DiscoverFilter;
  /** If absent: the default order, from its beginning. */
  readonly order?: DiscoverOrder;
  readonly plan: PagePlan;
  /** Null if the totals must be counted. */
  readonly known: Counted | null;
  /**
   * Whether to read only the columns that differ between viewers, the counts of participants and of offers, and the
   * fingerprint of the other columns.
   */
  readonly isCompact: boolean;
}

/** Each row repeats the totals; an empty page is one row that contains only totals. */
export interface DiscoverTotalsRow {
  /** The number of matching events, including events that are hidden from the viewer. */
  listed: string;
  /**
   * The number of these events that are hidden from the viewer. Null if the known number is out of date. The query must
   * then be repeated, and must count the hidden events.
   */
  hidden: string | null;
  snapshot: string;
  /** The time at which a boost last ended; null if no boost is known to have ended. Only in the default order. */
  boosts_ended_at?: Date | null;
}

export interface DiscoverEventRow extends ViewerEventRow {
  boosted: boolean;
  /**
   * The value by which the row is ordered: a time, or the length of the straight line from the given place to the
   * event. Absent in the default order.
   */
  key?: Date | number;
}

/** A row of a compact page. */
export interface CompactRow extends Pick<
  DiscoverEventRow,
  | 'id'
  | 'boosted'
  | 'key'
  | 'confirmed_count'
  | 'offers_count'
  | 'participation'
  | 'check_in_code'
  | 'offer_expires_at'
  | 'waitlist_position'
  | 'offers_ahead'
  | 'offers_until'
  | 'next_in_line'
  | 'requests_full'
  | 'group_id'
> {
  /** The value of SHARED_FINGERPRINT. */
  shared_fingerprint: string;
}

/**
 * The number of parameters with which each statement of a page begins: viewer, now, limit, offset, and the organizer
 * whose events are omitted.
 */
const COMMON_PARAMETERS = 5;
/** The number of parameters for the known totals, which follow in a scan: listed, hidden, snapshot, at. */
const KNOWN_PARAMETERS = 4;

/**
 * A page within the first `SHORT_REACH` events of the list takes less than a millisecond, if the totals of the list are
 * known.
 */
const SHORT_REACH = 40;

/** An id that no account has. */
const NOBODY = 0;

/** Maximum length of a statement's name. PostgreSQL ignores all further characters. */
const MAX_NAME_LENGTH = 63;
const HASH_LENGTH = 16;

/**
 * After this number of prepared statements, a process prepares only the statements of the whole list, which have no
 * filter and the default order. A prepared statement takes about 1 MB of memory on each connection of PostgreSQL, and
 * is never removed. The filters and orders have more than 100,000 combinations, so without this limit clients could use
 * up the memory. PostgreSQL plans an unprepared statement again at each execution, in about 3 ms. Any client can use up
 * the limit; then most filtered lists take 3 ms longer.
 */
export const MAX_PREPARED = 60;

/** The prepared statements. The keys are the names before `shortened`. */
const prepared = new Map<string, Statement>();

/**
 * A query with many filters has a long name. The hash makes the shortened name different from other names with the same
 * beginning.
 */
function shortened(name: string): string {
  if (name.length <= MAX_NAME_LENGTH) return name;
  return `${name.slice(0, MAX_NAME_LENGTH - HASH_LENGTH - 1)}_${hash('sha256', name).slice(0, HASH_LENGTH)}`;
}

/** Adds the variant of the statement for standbys, on which the snapshot is computed in another way. */
function withStandbyText(sql: Statement): Statement {
  return { ...sql, onStandby: sql.text.replaceAll(SNAPSHOT, STANDBY_SNAPSHOT) };
}

/** The statement for a page of Discover with its total, and the values for the parameters of this statement. */
export function discoverPage({
  viewerId,
  now,
  limit,
  offset,
  filter,
  order = DEFAULT_ORDER,
  plan,
  known,
  isCompact,
}: DiscoverRequest): {
  sql: Statement;
  values: unknown[];
} {
  const scans = plan === 'scan';
  const updates = scans && typeof known?.hidden === 'number';
  const conditions = conditionsOf(filter, COMMON_PARAMETERS + (scans ? KNOWN_PARAMETERS : 0) + 1);
  const ordered = orderSql(order, COMMON_PARAMETERS + (scans ? KNOWN_PARAMETERS : 0) + 1 + conditions.values.length);
  const isWholeList = conditions.form + ordered.form === '';
  const form = updates ? 'update' : plan;
  const name = `discover_${isCompact ? 'b_' : ''}${form}_${conditions.form}${ordered.form && `_${ordered.form}`}`;
  const sql = statementFor(
    name,
    isWholeList,
    () => `${FORMS[form](conditions, filter, ordered)}${finalSelect(isCompact, order.sort !== 'default')}`,
  );
  const common = [viewerId, now, limit, offset, filter.includesOwn ? NOBODY : viewerId];
  const knownTotals = scans
    ? [known?.listed ?? null, known?.hidden ?? null, known?.snapshot ?? null, known?.at ?? null]
    : [];
  // A short statement does not count all matching events, and reads only the beginning of the list.
  const isShort = updates && limit + offset <= SHORT_REACH && isWholeList;
  return {
    sql: isShort ? { ...sql, isShort } : sql,
    values: [...common, ...knownTotals, ...conditions.values, ...ordered.values],
  };
}

function statementFor(name: string, isWholeList: boolean, text: () => string): Statement {
  const existing = prepared.get(name);
  if (existing) return existing;
  if (prepared.size >= MAX_PREPARED && !isWholeList) return withStandbyText({ name: '', text: text() });
  const sql = withStandbyText(statement(shortened(name), text()));
  prepared.set(name, sql);
  return sql;
}

/**
 * The SQL of each plan. A scan has two forms: `scan` counts the events hidden from the viewer, and also the listed
 * events if their number is unknown; `update` updates known totals.
 */
const FORMS: Readonly<
  Record<PagePlan | 'update', (conditions: Conditions, filter: DiscoverFilter, order: OrderSql) => string>
> = {
  scan: (conditions, filter, order) => scan(conditions, filter, order, exactCount(conditions)),
  update: (conditions, filter, order) => scan(conditions, filter, order, UPDATED_TOTALS),
  sort: (conditions, _filter, order) => sort(conditions, order),
  count,
};

/**
 * The planner does not know the value of the limit. With this upper bound, the planner chooses to fetch the rows of a
 * page by their ids.
 */
const AT_MOST = `LIMIT ${LIMITS.pagination.per_page.max + 1}`;

/**
 * The time at which a boost last ended. No boost has ended since then, so comparing `boosted_until` with this time
 * gives the same events as comparing it with the current time. A cursor stores this time in milliseconds. The time is
 * rounded up, because a time before the end of the boost would make the boost active again.
 */
const BOOSTS_ENDED = `(SELECT date_trunc('milliseconds', max(ended.boosted_until) + interval '999 microseconds')
   FROM live_events ended WHERE ended.boosted_until <= $2)`;

/**
 * SQL: the part of the statement after the WITH clause. It joins `counted` and `page`. The rows are not ordered:
 * PostgreSQL takes longer than Node to sort twenty wide rows, so `DiscoverReader` sorts them. Listed events are
 * visible, so the query reads the table `all_events` instead of the view `events` (docs/adr/0021-out-of-sight.md). The
 * query `page` omits events of organizers who block the viewer, so the column `blocked` is always false.
 */
function finalSelect(isCompact: boolean, hasKey: boolean): string {
  const columns = isCompact
    ? `e.id, e.confirmed_count, e.offers_count, ${VIEWER_AND_SEAT_COLUMNS}, ${SHARED_FINGERPRINT} AS shared_fingerprint`
    : viewerColumns('false');
  return `
SELECT counted.*, page.boosted, ${hasKey ? 'page.key' : `${BOOSTS_ENDED} AS boosts_ended_at`}, ${columns}
  FROM counted LEFT JOIN (SELECT * FROM page ${AT_MOST}) page ON true LEFT JOIN all_events e ON e.id = page.id ${viewerJoins('LEFT JOIN')}`;
}

/** For the events with the ids $1: the columns that are the same for all viewers. */
export const EVENTS_TO_RENDER = shortRead(
  'discover_events_to_render',
  `SELECT ${SHARED_COLUMNS}, ${SHARED_FINGERPRINT} AS shared_fingerprint FROM all_events e ${sharedJoins('JOIN')} WHERE e.id = ANY ($1::bigint[])`,
);

/** Compares two events in the default order of the list. */
export function compareDefaultOrder(a: ListPosition, b: ListPosition): number {
  return (
    Number(b.boosted) - Number(a.boosted) ||
    a.starts_at.getTime() - b.starts_at.getTime() ||
    Number(a.id) - Number(b.id)
  );
}

/** The columns that determine an event's position in the list. */
export type ListPosition = Pick<DiscoverEventRow, 'id' | 'boosted' | 'starts_at' | 'key'>;

function scan(conditions: Conditions, filter: DiscoverFilter, order: OrderSql, counted: string): string {
  return `WITH ${changesSinceTotals(conditions)},
counted AS MATERIALIZED (${counted}),
page AS MATERIALIZED (${scanPage(conditions, filter, order)})`;
}

/** SQL: whether row `l` is not over and is not hidden from the viewer. */
const SHOWN = `${NOT_OVER} AND ${unindexed(FOR_VIEWER)}`;

/** The number of events to read in the order of the list. It is 0 if the page begins after the end of the list. */
const REACH = '(SELECT CASE WHEN $4::bigint >= listed THEN 0 ELSE $3::bigint + $4::bigint END FROM counted)';

/** Reads an index in the requested order until the page is full. */
function scanPage(conditions: Conditions, filter: DiscoverFilter, order: OrderSql): string {
  if (order.boostedFirst)
    return boostedFirst(conditions, order, filter.near?.cells || filter.box?.cells ? byCells : inOrder);
  return `SELECT false AS boosted, listed.id, listed.key FROM (
  SELECT l.id, ${order.key} AS key FROM live_events l WHERE ${SHOWN}${conditions.unindexed}${order.within}${follows(order)}
   ORDER BY ${order.key} ${order.direction}, l.id ${order.direction} LIMIT ${REACH}) listed LIMIT $3 OFFSET $4`;
}

/** Returns the SQL of the events without a boost: `inOrder` or `byCells`. */
type UnboostedSql = (conditions: Conditions, order: OrderSql, follow: string) => string;

/**
 * Reads the boosted events first and then the other events, both in the order of an index. PostgreSQL executes the
 * parts of a UNION ALL in sequence, and stops when the page is full. A page beyond the end reads no events. If the
 * cursor is in the second part, the first part is omitted.
 */
function boostedFirst(conditions: Conditions, order: OrderSql, unboosted: UnboostedSql): string {
  const others = unboosted(conditions, order, order.afterBoosted === false ? follows(order) : '');
  const boosted = `SELECT true AS boosted, l.id FROM live_events l WHERE l.boosted_until > ${order.boostedAt} AND ${SHOWN}${conditions.unindexedWithoutCells}${follows(order)}
    ORDER BY l.starts_at, l.id LIMIT ${REACH}`;
  const parts =
    order.afterBoosted === false
      ? `(${others})`
      : `(${boosted})
  UNION ALL
  (${others})`;
  return `SELECT boosted, id FROM (
  ${parts}) listed LIMIT $3 OFFSET $4`;
}

/** SQL: the condition that row `l` follows the cursor; '' without a cursor. */
function follows({ key, follows: after, afterBoosted }: OrderSql): string {
  return afterBoosted === null ? '' : ` AND ${after(key, 'l.id')}`;
}

function notBoosted({ boostedAt }: OrderSql): string {
  return `(l.boosted_until IS NULL OR l.boosted_until <= ${boostedAt})`;
}

function inOrder({ unindexed: filtering }: Conditions, order: OrderSql, follow: string): string {
  return `SELECT false AS boosted, l.id FROM live_events l WHERE ${notBoosted(order)} AND ${SHOWN}${filtering}${follow} ORDER BY l.starts_at, l.id LIMIT ${REACH}`;
}

/** The first events of every cell that the circle or box touches. The cells are the first value of the conditions. */
function byCells({ unindexedWithoutCells }: Conditions, order: OrderSql, follow: string): string {
  return `SELECT false AS boosted, near.id FROM unnest($${COMMON_PARAMETERS + KNOWN_PARAMETERS + 1}::integer[]) AS around (cell), LATERAL (
      SELECT l.starts_at, l.id FROM live_events l WHERE l.cell = around.cell AND ${notBoosted(order)} AND ${SHOWN}${unindexedWithoutCells}${follow}
       ORDER BY l.starts_at, l.id LIMIT ${REACH}) near
    ORDER BY near.starts_at, near.id LIMIT ${REACH}`;
}

/** `sort`: reads all matching events, and therefore also counts them. */
function sort({ sql }: Conditions, order: OrderSql): string {
  return `WITH found AS MATERIALIZED (${foundEvents(sql, order)}),
counted AS MATERIALIZED (SELECT count(*) AS listed, ${HIDDEN_AMONG_FOUND} AS hidden, ${SNAPSHOT} FROM found),
page AS MATERIALIZED (${pageOfFound(order)})`;
}

function foundEvents(sql: string, order: OrderSql): string {
  return `
  SELECT l.id, ${order.key} AS key, coalesce(l.boosted_until > ${order.boostedAt}, false) AS boosted, ${FOR_VIEWER} AS shown
    FROM live_events l WHERE ${NOT_OVER}${sql}${order.within}`;
}

function pageOfFound(order: OrderSql): string {
  const { boostedFirst: first, direction } = order;
  return `SELECT boosted, id${first ? '' : ', key'} FROM found WHERE shown${followsInFound(order)} ORDER BY ${first ? 'boosted DESC, ' : ''}key ${direction}, id ${direction} LIMIT $3 OFFSET $4`;
}

/** SQL: the condition that a row of `found` follows the cursor; '' without a cursor. */
function followsInFound({ boostedFirst: first, afterBoosted, follows: after }: OrderSql): string {
  if (afterBoosted === null) return '';
  const isAfter = after('key', 'id');
  if (!first) return ` AND ${isAfter}`;
  return afterBoosted ? ` AND (NOT boosted OR ${isAfter})` : ` AND NOT boosted AND ${isAfter}`;
}

/** SQL: the number of rows of `found` that are hidden from the viewer. */
const HIDDEN_AMONG_FOUND = 'count(*) FILTER (WHERE NOT shown)';

/**
 * The plan `count` contains both `scan` and `sort` in one statement. PostgreSQL first counts the matching events, and
 * then executes only `scan` or only `sort`. The count does not store the matching rows for a later sort, because
 * reading and sorting 300,000 events takes six times as long as counting them.
 */
function count(conditions: Conditions, filter: DiscoverFilter, order: OrderSql): string {
  const [ifRare, ifCommon] = [' AND (SELECT rare FROM known)', ' AND (SELECT NOT rare FROM known)'];
  const common = {
    ...conditions,
    unindexed: `${conditions.unindexed}${ifCommon}`,
    unindexedWithoutCells: `${conditions.unindexedWithoutCells}${ifCommon}`,
  };
  const total = isShortTextOnly(filter)
    ? `SELECT f_gram_total($${COMMON_PARAMETERS + 1}, $2) AS listed`
    : `SELECT count(*) AS listed FROM live_events l WHERE ${NOT_OVER}${conditions.sql}`;
  const columns = order.boostedFirst ? 'boosted, id' : 'boosted, id, key';
  const scanned = order.boostedFirst ? boostedFirst(common, order, inOrder) : scanPage(common, filter, order);
  return `WITH total AS MATERIALIZED (${total}),
known AS MATERIALIZED (SELECT listed, listed IS NULL OR listed < ${COMMON_FROM} AS rare FROM total),
found AS MATERIALIZED (${foundEvents(`${conditions.sql}${ifRare}`, order)}),
counted AS MATERIALIZED (
  SELECT CASE WHEN rare THEN (SELECT count(*) FROM found) ELSE listed END AS listed,
         CASE WHEN rare THEN (SELECT ${HIDDEN_AMONG_FOUND} FROM found) ELSE ${hiddenCount(common.unindexed)} END AS hidden, ${SNAPSHOT}
    FROM known),
page AS MATERIALIZED (SELECT ${columns} FROM (
  (${pageOfFound(order)})
  UNION ALL
  (${scanned})) either)`;
}

/** The ids of the first $2 events that are listed for everyone at the time $1, ordered by start. */
export const LISTED_IDS = statement(
  'discover_listed_ids',
  'SELECT id FROM live_events WHERE over_at > $1 ORDER BY starts_at, id LIMIT $2',
);
