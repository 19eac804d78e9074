// What a page of Discover costs PostgreSQL, in times of a reference: 20 events in order with what a page shows and nothing else.
// Call by call in turns on one connection, so that whatever else the machine does hurts both alike; processor time of the backend.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import pg from 'pg';
import { TOKENS } from './database.mjs';

const ROOT = resolve(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '../..');
const dist = (path) => createRequire(import.meta.url)(resolve(ROOT, 'dist', path));

const REFERENCE = `SELECT e.*, o.name, o.nickname, o.slug, me.status AS mine
  FROM (SELECT id, starts_at FROM live_events WHERE starts_at > $2 AND organizer_id <> $1 ORDER BY starts_at, id LIMIT 20) l
  JOIN events e ON e.id = l.id JOIN users o ON o.id = e.organizer_id
  LEFT JOIN participations me ON me.event_id = e.id AND me.user_id = $1
 ORDER BY l.starts_at, l.id`;
const WARM_UP = 20;

/** `queries`: name → a query of Discover. → name → {ms, times}: of a page and its token together, against the reference in the same run. */
export async function pagesInReferences(url, queries, calls) {
  const { requestOptions } = dist('libs/platform/database/data-source.js');
  const { discoverPage } = dist('libs/areas/discover/discover.query.js');
  const { filterOf } = dist('libs/areas/discover/discover.filter.js');
  const { TOKEN_WITH_ACCOUNT } = dist('libs/areas/identity/authentication.query.js');
  const client = new pg.Client({ connectionString: url, options: requestOptions(url, 1).extra.options });
  await client.connect();
  try {
    const { pid } = (await client.query('SELECT pg_backend_pid() AS pid')).rows[0];
    const now = new Date();
    const viewers = Array.from({ length: TOKENS }, (_, n) => (n + 1) * 3);
    const page = ({ page: number = 1, ...query }, seen) => async (viewer) => {
      const known = seen.get(viewer) ?? (seen.has(0) ? { ...seen.get(0), hidden: null } : null);
      const { sql, values } = discoverPage({ viewerId: viewer, now, limit: 20, offset: (number - 1) * 20, filter: filterOf(query), way: 'walk', known });
      const [{ listed, hidden, hides, snapshot }] = (await client.query({ ...sql, values })).rows;
      const counted = { listed: Number(listed), hidden: Number(hidden), hides, snapshot, at: now };
      seen.set(viewer, counted).set(0, counted);
    };
    const runs = {
      reference: (viewer) => client.query({ name: 'bench_reference', text: REFERENCE, values: [viewer, now] }),
      token: (viewer) => client.query({ ...TOKEN_WITH_ACCOUNT, values: [`unknown ${viewer}`] }),
      ...Object.fromEntries(Object.entries(queries).map(([name, query]) => [name, page(query, new Map())])),
    };
    // Everybody has asked before: what a total costs the first time is another question.
    for (const run of Object.values(runs)) for (const viewer of viewers) await run(viewer);
    const spent = Object.fromEntries(Object.keys(runs).map((name) => [name, 0]));
    for (let n = 0; n < calls + WARM_UP; n++) {
      for (const [name, run] of Object.entries(runs)) {
        const before = cpuMs(pid);
        await run(viewers[n % viewers.length]);
        if (n >= WARM_UP) spent[name] += cpuMs(pid) - before;
      }
    }
    return Object.fromEntries(Object.keys(runs).map((name) => {
      const ms = (spent[name] + (name in queries ? spent.token : 0)) / calls;
      return [name, { ms: Number(ms.toFixed(3)), times: Number(((ms * calls) / spent.reference).toFixed(2)) }];
    }));
  } finally {
    await client.end();
  }
}

/** Processor time of a process of this machine, to the nanosecond. */
function cpuMs(pid) {
  return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
}
