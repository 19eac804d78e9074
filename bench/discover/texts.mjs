// Measures text search in Discover in one of the benchmark databases (database.mjs): the time of searches whose totals
// (numbers of results) are not cached, and the time that the indexes add to a write. Times are measured in this
// program, the client of PostgreSQL. Every write is rolled back.
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import pg from 'pg';
import { verdict } from '../lib/service.mjs';

const ROOT = resolve(import.meta.dirname, '../..');
const dist = (path) => createRequire(import.meta.url)(resolve(ROOT, 'dist', path));
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];
const SHORT = [...LETTERS, ...LETTERS.flatMap((a) => LETTERS.map((b) => a + b))];
/** Each of these words occurs in at least a third of the events (seed.sql). */
const COMMON = ['pro', 'do', 'všichni', 'budeme', 'společně', 'večer', 'den', 'kde', 'kdo', 'chce'];
const WRITES = 40;
const OCCURRENCES = 57;

/** Returns rows for `console.table`: milliseconds (median, mean, p99, maximum), and whether the goal is reached. */
export async function textsCost(url) {
  const { requestOptions } = dist('libs/platform/database/data-source.js');
  const client = new pg.Client({ connectionString: url, options: requestOptions(url, 1).extra.options });
  await client.connect();
  try {
    return {
      [`${SHORT.length} searches of one or two letters, the first time`]: summary(
        await timeSearches(client, SHORT),
        'p99',
        20,
      ),
      [`${COMMON.length} common words, the first time`]: summary(await timeSearches(client, COMMON), 'median'),
      [`an event with a description of 5,000 characters (${WRITES} times)`]: summary(
        await timeWrites(client, WRITES, 1),
        'median',
        3,
      ),
      [`the same for ${OCCURRENCES} occurrences of a series, in one statement`]: summary(
        await timeWrites(client, 10, OCCURRENCES),
        'median',
        300,
      ),
    };
  } finally {
    await client.end();
  }
}

/**
 * Runs the queries that the service sends if no totals are cached, and returns their times in milliseconds. The first
 * query, for which PostgreSQL makes the plan, is not measured.
 */
async function timeSearches(client, texts) {
  const { discoverPage } = dist('libs/areas/discover/discover.query.js');
  const { filterOf } = dist('libs/areas/discover/discover.filter.js');
  const ask = async (q) => {
    const { sql, values } = discoverPage({
      viewerId: 3,
      now: new Date(),
      limit: 20,
      offset: 0,
      filter: filterOf({ q }),
      plan: 'count',
      known: null,
      isCompact: true,
    });
    return timeOf(() => client.query({ ...sql, values }));
  };
  await ask(texts === SHORT ? '0' : 'nula');
  const times = [];
  for (const q of texts) times.push(await ask(q));
  return times;
}

/**
 * Measures how many milliseconds the indexes add to the insertion of `rows` events with many words. This is the time to
 * insert public events, minus the time to insert the same number of private events, which are not indexed. Returns the
 * results of `times` measurements.
 */
async function timeWrites(client, times, rows) {
  const { rows: sources } =
    await client.query(`SELECT left(string_agg(regexp_replace(description, '<[^>]*>', '', 'g'), ' '), 5000) AS text
    FROM (SELECT description, row_number() OVER (ORDER BY id) AS n FROM (SELECT id, description FROM events ORDER BY id LIMIT ${times * 40}) few) e GROUP BY n % ${times}`);
  const insert = (text, isPublic) =>
    client.query({
      name: 'bench_write_event',
      text: `INSERT INTO events (organizer_id, title, description, type, starts_at, is_public, join_mode, seeking_company, photos_enabled, created_at, updated_at)
           SELECT 3, 'Pokus', $1, 'sport', now() + day * interval '1 day', $2, 'open', false, false, now(), now() FROM generate_series(1, $3::integer) day`,
      values: [text, isPublic, rows],
    });
  const found = [];
  for (const { text } of sources) {
    await client.query('BEGIN');
    const unindexed = await timeOf(() => insert(text, false));
    const indexed = await timeOf(() => insert(text, true));
    await client.query('ROLLBACK');
    found.push(Math.max(0, indexed - unindexed));
  }
  return found;
}

async function timeOf(work) {
  const since = performance.now();
  await work();
  return performance.now() - since;
}

function summary(times, which, goal) {
  const sorted = [...times].sort((a, b) => a - b);
  const at = {
    median: sorted[Math.floor(sorted.length / 2)],
    mean: sorted.reduce((sum, one) => sum + one, 0) / sorted.length,
    p99: sorted[Math.floor(sorted.length * 0.99)],
    max: sorted.at(-1),
  };
  const ms = Object.fromEntries(Object.entries(at).map(([name, value]) => [`${name} ms`, Number(value.toFixed(2))]));
  return { ...ms, goal: goal === undefined ? '' : `${which} ${goal}: ${verdict(at[which] <= goal)}` };
}
