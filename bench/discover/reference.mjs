// Measures the processor time that PostgreSQL needs for a page of Discover, as a multiple of the time for a reference
// query. The reference query reads the next 20 events with the data that a page needs. The page and the reference query
// run alternately on one connection, so that other load on the machine affects both of them equally.
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import pg from 'pg';
import { cpuMs } from '../lib/service.mjs';
import { HEAVY_USER_ID, TOKEN_COUNT } from './database.mjs';

const ROOT = resolve(import.meta.dirname, '../..');
const dist = (path) => createRequire(import.meta.url)(resolve(ROOT, 'dist', path));

const REFERENCE = `SELECT e.*, o.name, o.nickname, o.slug, me.status AS mine
  FROM (SELECT id, starts_at FROM live_events WHERE starts_at > $2 AND organizer_id <> $1 ORDER BY starts_at, id LIMIT 20) l
  JOIN events e ON e.id = l.id JOIN users o ON o.id = e.organizer_id
  LEFT JOIN participations me ON me.event_id = e.id AND me.user_id = $1
 ORDER BY l.starts_at, l.id`;
const WARM_UP = 20;
/** Placeholders for the functions that format ids and links, because formatting costs PostgreSQL nothing. */
const NO_WIRE = {
  id: String,
  idOrNull: () => null,
  page: String,
  media: String,
  thumb: String,
  thumbOrNull: () => null,
};

/**
 * `queries`: name → a query of Discover. Returns name → {ms, times, heavy}. `ms`: milliseconds for a page and the
 * lookup of the token. `times`: `ms` divided by the time of the reference query. `heavy`: the time of the page for the
 * viewer with a lot of data (HEAVY_USER_ID), divided by `ms`, which is the time for the other viewers.
 */
export async function pageCosts(url, queries, calls) {
  const { requestOptions } = dist('libs/platform/database/data-source.js');
  const { DiscoverReader } = dist('libs/areas/discover/discover.reader.js');
  const { DiscoverPages } = dist('libs/areas/discover/discover.pages.js');
  const { DiscoverTotals } = dist('libs/areas/discover/discover.totals.js');
  const { RenderedEvents } = dist('libs/areas/discover/rendered-events.js');
  const { Clock } = dist('libs/platform/time/clock.js');
  const { TOKEN_WITH_ACCOUNT } = dist('libs/areas/identity/authentication.query.js');
  const client = new pg.Client({ connectionString: url, options: requestOptions(url, 1).extra.options });
  await client.connect();
  try {
    const { pid } = (await client.query('SELECT pg_backend_pid() AS pid')).rows[0];
    const now = new Date();
    const viewers = Array.from({ length: TOKEN_COUNT }, (_, n) => (n + 1) * 3).filter(
      (viewer) => viewer !== HEAVY_USER_ID,
    );
    // The benchmark uses the service's own reader and cache of totals on this connection.
    const rows = async (sql, values) => (await client.query({ ...sql, values })).rows;
    const [database, reading, clock] = [{ rows }, { during: (work) => work('primary') }, new Clock()];
    const pages = new DiscoverPages(database, new DiscoverTotals(clock));
    // The queries contain database ids instead of hashids.
    const ids = { decode: (_kind, id) => Number(id), decodeEvent: Number };
    const groups = { isSeenBy: () => Promise.resolve(true) };
    const reader = new DiscoverReader(
      database,
      reading,
      null,
      pages,
      new RenderedEvents(database, NO_WIRE, clock),
      clock,
      ids,
      groups,
    );
    const page = (query) => (viewer) => reader.list({ id: viewer, birthDate: null, gender: null }, query);
    const runs = {
      reference: (viewer) => client.query({ name: 'bench_reference', text: REFERENCE, values: [viewer, now] }),
      token: (viewer) => client.query({ ...TOKEN_WITH_ACCOUNT, values: [`unknown ${viewer}`, null] }),
      ...Object.fromEntries(
        Object.entries(queries).flatMap(([name, query]) => [
          [name, page(query)],
          [heavyOf(name), () => page(query)(HEAVY_USER_ID)],
        ]),
      ),
    };
    // All totals are cached before the measurement, because the cost of the first count is measured in texts.mjs.
    for (const run of Object.values(runs)) for (const viewer of viewers) await run(viewer);
    const spent = Object.fromEntries(Object.keys(runs).map((name) => [name, 0]));
    for (let n = 0; n < calls + WARM_UP; n++) {
      for (const [name, run] of Object.entries(runs)) {
        const before = cpuMs(pid);
        await run(viewers[n % viewers.length]);
        if (n >= WARM_UP) spent[name] += cpuMs(pid) - before;
      }
    }
    const costOf = (name) => spent[name] + spent.token;
    return Object.fromEntries(
      Object.keys(queries).map((name) => [
        name,
        {
          ms: Number((costOf(name) / calls).toFixed(3)),
          times: Number((costOf(name) / spent.reference).toFixed(2)),
          heavy: Number((costOf(heavyOf(name)) / costOf(name)).toFixed(2)),
        },
      ]),
    );
  } finally {
    await client.end();
  }
}

function heavyOf(name) {
  return `${name}, heavy`;
}
