import type { DiscoverQueryDto } from '#areas/discover/discover.dto';
import { filterOf } from '#areas/discover/discover.filter';
import { discoverPage, type Counted, type DiscoverTotalsRow, type PagePlan } from '#areas/discover/discover.query';
import { TestServer } from '#testing/test-server';
import { YEAR_AFTER_NEXT } from '#testing/times';

/** A node of a PostgreSQL query plan, with only the fields that this test uses. */
interface Node {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Node[];
}

const EVENTS = 60_000;
/** Number of events that one statement inserts. */
const BATCH = 5_000;
/**
 * Each scan and each sort for a page must handle fewer rows than this number. Scans for page 50 may read 1,000 more.
 */
const MAX_ROWS_READ = 4_000;

/**
 * Query plans of Discover on a large table. The plans are generic, because PostgreSQL uses generic plans for prepared
 * statements that run often.
 */
describe('query plans of Discover', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await TestServer.start();
    const jana = await server.person('jana');
    await server.sql('ALTER TABLE all_events DISABLE TRIGGER USER');
    // About two thirds of the events are over. The words, types and places are distributed evenly over all events.
    for (let from = 1; from < EVENTS; from += BATCH)
      await server.sql(
        `INSERT INTO events (organizer_id, title, description, type, starts_at, is_public, join_mode, seeking_company, photos_enabled, latitude, longitude, boosted_until, created_at, updated_at)
       SELECT $1, 'Akce ' || g, CASE WHEN g % 3 = 0 THEN 'hojne slovo' ELSE 'jine slovo' END || CASE WHEN g % 5000 = 0 THEN ' vzacnost' ELSE '' END,
              (ARRAY['sport', 'food', 'walk', 'game'])[1 + g % 4], now() + (g - $2::integer * 2 / 3) * interval '1 minute', true, 'open', false, false,
              49 + (g::bigint * 7919 % 2000) / 1000.0, 14 + (g::bigint * 104729 % 3000) / 1000.0, CASE WHEN g % 3000 = 0 THEN now() + interval '30 days' END, now(), now()
         FROM generate_series($3::integer, $3 + $4::integer - 1) g`,
        [jana.userId, EVENTS, from, BATCH],
      );
    await server.sql('ALTER TABLE all_events ENABLE TRIGGER USER');
    await server.sql('ALTER TABLE live_events DISABLE TRIGGER USER');
    for (let from = 1; from < EVENTS; from += BATCH) {
      await server.sql(
        'INSERT INTO live_events SELECT * FROM listable_events WHERE over_at > now() AND id >= $1::bigint AND id < $1 + $2',
        [from, BATCH],
      );
    }
    await server.sql('ALTER TABLE live_events ENABLE TRIGGER USER');
    await server.sql('VACUUM ANALYZE live_events');
    await server.sql('ANALYZE all_events');
  }, 120_000);
  afterAll(() => server.stop());

  /** All nodes of the query plan of a page. `known`: the totals, if an earlier request has counted them. */
  async function planOf(
    query: DiscoverQueryDto,
    plan: PagePlan,
    known: Counted | null,
    isCompact = true,
  ): Promise<Node[]> {
    const perPage = 20;
    const { sql, values } = discoverPage({
      viewerId: 1_000_000,
      now: server.clock.now(),
      limit: perPage,
      offset: ((query.page ?? 1) - 1) * perPage,
      filter: filterOf(query),
      plan,
      known,
      isCompact,
    });
    return server.database.transaction(async (tx) => {
      await tx.manager.query('SET LOCAL plan_cache_mode = force_generic_plan');
      await tx.manager.query(`PREPARE discover_page AS ${sql.text}`);
      const [row] = await tx.manager.query<{ 'QUERY PLAN': [{ Plan: Node }] }[]>(
        `EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE discover_page(${values.map(literal).join(', ')})`,
      );
      await tx.manager.query('DEALLOCATE discover_page');
      return nodesOf(row?.['QUERY PLAN'][0].Plan as Node);
    });
  }

  async function totalsOf(query: DiscoverQueryDto): Promise<Counted> {
    const at = server.clock.now();
    const { sql, values } = discoverPage({
      viewerId: 1_000_000,
      now: at,
      limit: 1,
      offset: 0,
      filter: filterOf(query),
      plan: 'scan',
      known: null,
      isCompact: true,
    });
    const [row] = await server.database.rows<DiscoverTotalsRow>(sql, values);
    return {
      listed: Number(row?.listed),
      hidden: Number(row?.hidden),
      snapshot: row?.snapshot ?? '',
      at,
    };
  }

  const scansOfLiveEvents = (nodes: readonly Node[]) =>
    nodes.filter((node) => node['Relation Name'] === 'live_events' && node['Actual Loops'] > 0);
  const rowsRead = (node: Node): number =>
    (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];

  const SCANS: [string, DiscoverQueryDto][] = [
    ['the first page', {}],
    ['page 50', { page: 50 }],
    ['a type', { type: 'sport' }],
    ['dates', { date_from: '2020-01-01', date_to: `${YEAR_AFTER_NEXT}-12-31` }],
    ['a common word', { q: 'hojne' }],
    ['a text that occurs across two words', { q: 'e s' }],
    ['a circle', { lat: 50, lng: 15, radius_km: 10 }],
    ['a wide circle', { lat: 50, lng: 15, radius_km: 200 }],
    ['a small box', { bbox: '14.5,49.5,15,50' }],
    ['a large box', { bbox: '13,48,18,52' }],
    ['free events', { price: 'free' }],
    ['a start after a time', { starts_after: new Date('2020-01-01') }],
    ['a circle, a type and a word', { lat: 50, lng: 15, radius_km: 40, type: 'walk', q: 'slovo' }],
    ['a page beyond the end', { page: 100_000 }],
  ];
  const SHAPES = SCANS.flatMap(([name, query]) =>
    [true, false].map(
      (isCompact) =>
        [
          `${name}, ${isCompact ? 'only columns that differ between viewers' : 'all columns'}`,
          query,
          isCompact,
        ] as const,
    ),
  );
  it.each(SHAPES)(
    'read an index only until the page is full, and read all_events and participations only for the events of the page: %s',
    async (_, query, isCompact) => {
      const known = await totalsOf(query);
      expect(known.listed).toBeGreaterThan(50);
      const nodes = await planOf(query, 'scan', known, isCompact);
      const scans = scansOfLiveEvents(nodes);
      expect(scans.length).toBeGreaterThan(0);
      expect(scans.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([]);
      for (const node of scans) expect(rowsRead(node)).toBeLessThan(MAX_ROWS_READ + (query.page === 50 ? 1_000 : 0));
      for (const node of nodes.filter((one) => one['Node Type'].includes('Sort')))
        expect(node['Actual Rows'] * node['Actual Loops']).toBeLessThan(MAX_ROWS_READ);
      expect(
        nodes.filter((node) => node['Relation Name'] === 'all_events' && node['Node Type'] === 'Seq Scan'),
      ).toEqual([]);
      // For a page without events, PostgreSQL may execute the nodes that read the table, but these nodes return no
      // rows.
      const nodesThatRead = (table: string) =>
        nodes.filter(
          (node) =>
            node['Relation Name'] === table &&
            node['Node Type'] !== 'Index Only Scan' &&
            (query.page === 100_000 ? node['Actual Rows'] > 0 : node['Actual Loops'] > 0),
        );
      for (const [table, primaryKey] of [
        ['all_events', 'events_pkey'],
        ['participations', 'participations_pkey'],
      ] as const) {
        expect(new Set(nodesThatRead(table).map((node) => node['Index Name'] ?? node['Node Type']))).toEqual(
          new Set(query.page === 100_000 ? [] : [primaryKey]),
        );
        for (const node of nodesThatRead(table))
          expect(node['Actual Rows'] * node['Actual Loops']).toBeLessThanOrEqual(20);
      }
      // An earlier request has counted the viewer's own events and the events of organizers who block the viewer. This
      // plan does not count these events again.
      expect(
        nodes.filter((node) => node['Index Name'] === 'live_events_of_organizer' && node['Actual Loops'] > 0),
      ).toEqual([]);
    },
  );

  it('read events in a circle from the index of map cells', async () => {
    const query = { lat: 50, lng: 15, radius_km: 10 };
    const nodes = scansOfLiveEvents(await planOf(query, 'scan', await totalsOf(query)));
    expect(nodes.map((node) => node['Index Name'])).toContain('live_events_cell');
    expect(nodes.map((node) => node['Index Name'])).not.toContain('live_events_start');
  });

  it('read events with a rare word from the word index only', async () => {
    // This check ignores the index of boosts, which is read because the cursor of the page contains the time at which
    // the last boost ended.
    const nodes = (await planOf({ q: 'vzacn' }, 'sort', null)).filter(
      (node) => !node['Index Name']?.startsWith('live_events_boost'),
    );
    const scans = scansOfLiveEvents(nodes);
    expect(nodes.flatMap((node) => node['Index Name'] ?? []).filter((name) => name.startsWith('live_events'))).toEqual([
      'live_events_words',
    ]);
    expect(scans.map((node) => node['Node Type'])).toEqual(['Bitmap Heap Scan']);
    expect(rowsRead(scans[0] as Node)).toBeLessThan(20);
  });

  it('count the events with a word, and scan the list instead of sorting if the word is frequent', async () => {
    // A plan that sorts would read all events with a frequent word for a page of twenty.
    const common = await planOf({ q: 'hojne' }, 'count', null);
    const large = common.filter((node) => node['Actual Rows'] * node['Actual Loops'] >= MAX_ROWS_READ);
    expect(new Set(large.map((node) => node['Node Type']))).toEqual(new Set(['Bitmap Heap Scan', 'Bitmap Index Scan']));
    expect(scansOfLiveEvents(common).filter((node) => node['Index Name'] === 'live_events_start')).toHaveLength(1);
    for (const node of scansOfLiveEvents(await planOf({ q: 'vzacn' }, 'count', null)))
      expect(rowsRead(node)).toBeLessThan(20);
  });

  it('do not read ended events, even if there are many', async () => {
    const [{ n: liveCount }] = (await server.sql<{ n: number }>('SELECT count(*)::integer AS n FROM live_events')) as [
      { n: number },
    ];
    expect(liveCount).toBeLessThan(EVENTS / 2);
    for (const node of scansOfLiveEvents(await planOf({}, 'scan', await totalsOf({}))))
      expect(rowsRead(node)).toBeLessThan(50);
  });

  it('use only indexes that do not change when the number of participants changes', async () => {
    const updates = async () =>
      (
        await server.sql<{ all: string; hot: string }>(
          `SELECT n_tup_upd AS all, n_tup_hot_upd AS hot FROM pg_stat_all_tables WHERE relname = 'live_events'`,
        )
      )[0] as { all: string; hot: string };
    await server.sql('SELECT pg_stat_force_next_flush()');
    const before = await updates();
    await server.sql(
      'UPDATE events SET confirmed_count = confirmed_count + 1 WHERE id IN (SELECT id FROM live_events WHERE id % 700 = 0 LIMIT 20)',
    );
    let after = before;
    for (let i = 0; i < 50 && after.all === before.all; i++) {
      await server.sql('SELECT pg_stat_force_next_flush(), pg_sleep(0.1)');
      after = await updates();
    }
    expect([Number(after.all) - Number(before.all), Number(after.hot) - Number(before.hot)]).toEqual([20, 20]);
    expect(await server.sql('SELECT 1 FROM live_event_changes LIMIT 1')).toEqual([]);
  });
});

function nodesOf(node: Node): Node[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

function literal(value: unknown): string {
  if (value === null) return 'NULL';
  if (value instanceof Date) return `'${value.toISOString()}'`;
  if (Array.isArray(value)) return `'{${value.join(',')}}'`;
  return typeof value === 'number' ? String(value) : `'${value as string}'`;
}
