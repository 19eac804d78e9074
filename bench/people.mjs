// Measures the processor time that PostgreSQL needs for one search for people among a million accounts, for each kind
// of search. The people have 200 different first names and 200 different surnames; 3 % of the people have the most
// common first name, and 3 % have the most common surname.
//   npm run bench -- people [--people 1000000] [--calls 300]
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { connected } from './discover/database.mjs';
import { percentile } from './lib/load.mjs';
import { cpuMs, verdict } from './lib/service.mjs';

const ROOT = resolve(import.meta.dirname, '..');
const dist = (path) => createRequire(import.meta.url)(resolve(ROOT, 'dist', path));
const { values: options } = parseArgs({
  args: process.argv.slice(2),
  options: { people: { type: 'string', default: '1000000' }, calls: { type: 'string', default: '300' } },
});
const [PEOPLE, CALLS] = [Number(options.people), Number(options.calls)];
/** Goal in milliseconds for the 99th percentile of the processor time of a search. */
const GOAL_MS = 20;

const FIRST_NAMES =
  'jana petr marie jan tereza martin lucie tomáš eva pavel hana jaroslav anna jiří kateřina josef věra miroslav lenka zdeněk'.split(
    ' ',
  );
const SURNAMES =
  'nováková novák svobodová svoboda novotná novotný dvořáková dvořák černá černý procházková procházka kučerová kučera veselá veselý horáková horák marková marek'.split(
    ' ',
  );
/** Number of accounts that one statement inserts. */
const BATCH = 20_000;
/** Rounds that are not measured, because caches are still empty. */
const WARM_UP_ROUNDS = 10;

/** Typical searches. Each kind is run equally often. */
const QUERIES = {
  'two letters': ['ja', 'ma', 'no', 'pe', 'zd', 'sv'],
  'three letters': ['jan', 'nov', 'mar', 'pet', 'zde', 'ter'],
  'a first name': ['jana', 'petr', 'marie', 'zdenek', 'tereza'],
  'a surname': ['novak', 'svobodova', 'dvorak', 'cerny', 'kucera'],
  'a rare word': ['slabika17', 'slabika1234', 'nikdotakovy'],
  'a name and a letter': ['jana n', 'petr s', 'marie d'],
  'a whole name': ['jana novakova', 'zdenek cerny', 'petr dvorak'],
};

const { openEmbeddedPostgres } = dist('libs/platform/database/embedded/embedded-postgres.js');
const { requestOptions } = dist('libs/platform/database/data-source.js');
const { migrate } = dist('libs/platform/database/migrations.js');
const { FOLD_QUERY, searchFor } = dist('libs/areas/people/people.query.js');
const postgres = await openEmbeddedPostgres({ folder: resolve(ROOT, '.cache/bench/postgres') });
const name = `bench_people_${PEOPLE}`;
const url = Object.assign(new URL(postgres.url), { pathname: `/${name}` }).toString();
try {
  await connected(postgres.url, async (client) => {
    await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await client.query(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`);
  });
  await migrate(url);
  await connected(url, fill);
  await connected(url, measure, requestOptions(url, 1).extra.options);
} finally {
  await postgres.release();
}

async function fill(client) {
  await client.query('SET synchronous_commit = off; SELECT setseed(0.42)');
  const since = performance.now();
  for (let from = 1; from <= PEOPLE; from += BATCH)
    await client.query(
      `INSERT INTO users (slug, name, nickname, searchable, banned, created_at, updated_at)
       SELECT 'clovek-' || g, initcap(coalesce(($1::text[])[1 + floor(power(random(), 1.5) * 200)::integer], 'jmeno' || g % 180)) || ' ' ||
              initcap(coalesce(($2::text[])[1 + floor(power(random(), 1.5) * 200)::integer], 'prijmeni' || g % 180)),
              CASE WHEN random() < 0.3 THEN 'slabika' || g % 20000 END, random() < 0.95, g % 1000 = 0, now(), now()
         FROM generate_series($3::integer, least($3 + $4 - 1, $5)) g`,
      [FIRST_NAMES, SURNAMES, from, BATCH, PEOPLE],
    );
  console.error(`${PEOPLE} accounts in ${Math.round((performance.now() - since) / 1000)} s`);
  await client.query('INSERT INTO user_blocks (blocker_id, blocked_id) SELECT g, 1 FROM generate_series(2, 100) g');
  await client.query('VACUUM (ANALYZE)');
  const { rows } = await client.query("SELECT pg_size_pretty(pg_total_relation_size('people_words')) AS words");
  console.error(`people_words: ${rows[0].words}`);
}

async function measure(client) {
  const { pid } = (await client.query('SELECT pg_backend_pid() AS pid')).rows[0];
  const run = async (sql, values) => (await client.query({ ...sql, values })).rows;
  const kinds = {};
  const all = [];
  for (let n = 0; n < CALLS + WARM_UP_ROUNDS; n++) {
    for (const [kind, queries] of Object.entries(QUERIES)) {
      const before = cpuMs(pid);
      const [{ folded }] = await run(FOLD_QUERY, [queries[n % queries.length]]);
      const words = folded.split(' ');
      const { sql, values } = searchFor(words, { searcherId: 1, limit: 20, offset: 0 });
      const rows = await run(sql, values);
      if (n < WARM_UP_ROUNDS) continue;
      const ms = cpuMs(pid) - before;
      (kinds[kind] ??= { ms: [], found: 0 }).ms.push(ms);
      kinds[kind].found = Math.max(kinds[kind].found, Number(rows[0].total));
      all.push(ms);
    }
  }
  const figures = (list) => {
    const sorted = [...list].sort((a, b) => a - b);
    const [p50, p99] = [0.5, 0.99].map((share) => Number(percentile(sorted, share).toFixed(2)));
    return { 'p50 ms': p50, 'p99 ms': p99 };
  };
  console.table(
    Object.fromEntries(
      Object.entries(kinds).map(([kind, { ms, found }]) => [kind, { 'max found': found, ...figures(ms) }]),
    ),
  );
  const { 'p50 ms': p50, 'p99 ms': p99 } = figures(all);
  console.log(
    `All: p50 ${p50} ms, p99 ${p99} ms of PostgreSQL's processor time (goal ${GOAL_MS}: ${verdict(p99 <= GOAL_MS)})`,
  );
}
