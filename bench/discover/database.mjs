// The benchmark databases. One PostgreSQL server in .cache (or at BENCH_DATABASE) has one database for each number of
// events. A database is filled when it is first used, and again when it is three days old or seed.sql has changed.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import pg from 'pg';

const ROOT = resolve(import.meta.dirname, '../..');
const require = createRequire(import.meta.url);
const SEED = readFileSync(resolve(ROOT, 'bench/discover/seed.sql'), 'utf8');
/** The number of tokens in each database. Each token belongs to a different account. */
export const TOKEN_COUNT = 300;
/** The id of the account that has the last token. This account has a lot of data (seed.sql). */
export const HEAVY_USER_ID = 900;

/** The number of accounts in a database with this number of events. */
export function userCountOf(events) {
  return Math.max(1_000, Math.round(events / 10));
}

/** The id of the event with 10,000 participants (seed.sql). */
export function crowdEventIdOf(events) {
  return events - 7;
}

/**
 * Returns {admin, urlOf(events), release()}. `admin` is a URL for creating databases on the server. `urlOf` returns the
 * URL of the database with this number of events. If the database is missing or out of date, `urlOf` first fills it.
 */
export async function openBenchDatabases() {
  const givenUrl = process.env.BENCH_DATABASE;
  const { openEmbeddedPostgres } = require(resolve(ROOT, 'dist/libs/platform/database/embedded/embedded-postgres.js'));
  const embedded = givenUrl ? null : await openEmbeddedPostgres({ folder: resolve(ROOT, '.cache/bench/postgres') });
  const admin = givenUrl ?? embedded.url;
  return {
    admin,
    urlOf: (events) => ensureFilledDatabase(admin, events),
    release: async () => {
      if (embedded) await embedded.release();
    },
  };
}

/**
 * Makes sure that only one run of bench/discover.mjs at a time measures with the server of the URL `admin`. Returns a
 * function that ends the lock. The lock is an advisory lock of PostgreSQL, so it also ends when the process ends.
 */
export async function lockServer(admin) {
  const client = new pg.Client({ connectionString: admin });
  await client.connect();
  const { rows } = await client.query(`SELECT pg_try_advisory_lock(hashtext('bench discover')) AS is_locked`);
  if (rows[0].is_locked) return () => client.end();
  await client.end();
  throw new Error('Another run of this benchmark is in progress. Wait until it has ended.');
}

/**
 * Copies a filled database, so that the benchmark may change the copy. An earlier copy with the same prefix and number
 * of events is dropped. Returns {url, drop()} for the copy.
 */
export async function copyOf({ admin, urlOf }, events, prefix) {
  await urlOf(events);
  const name = `${prefix}_${events}`;
  const drop = () => connected(admin, (client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
  await drop();
  await connected(admin, (client) =>
    client.query(`CREATE DATABASE ${name} TEMPLATE bench_discover_${events} STRATEGY FILE_COPY`),
  );
  return { url: Object.assign(new URL(admin), { pathname: `/${name}` }).toString(), drop };
}

/** The secret of the n-th token, the same in every run. */
export function tokenOf(n) {
  const { secretOf } = require(resolve(ROOT, 'dist/libs/areas/identity/token-secret.policy.js'));
  return secretOf(createHash('sha512').update(`bench token ${n}`).digest());
}

/**
 * Runs `work` with a client that is connected to this database, and then disconnects the client. `options`: settings of
 * the session, as in PGOPTIONS.
 */
export async function connected(url, work, options) {
  const client = new pg.Client({ connectionString: url, options });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function ensureFilledDatabase(admin, events) {
  const name = `bench_discover_${events}`;
  const url = Object.assign(new URL(admin), { pathname: `/${name}` }).toString();
  const { migrate } = require(resolve(ROOT, 'dist/libs/platform/database/migrations.js'));
  const stamp = createHash('sha256').update(SEED).digest('hex').slice(0, 16);
  const known = await connected(admin, (client) =>
    client.query('SELECT shobj_description(oid, $2) AS note FROM pg_database WHERE datname = $1', [
      name,
      'pg_database',
    ]),
  );
  const [filledStamp, filledAt] = known.rows[0]?.note?.split(' ') ?? [];
  // After three days the database is filled again, because too many of its events are over.
  if (filledStamp === stamp && Date.now() - Number(filledAt) < 3 * 86_400_000) {
    await migrate(url);
    return url;
  }
  console.error(`Filling ${name} …`);
  await connected(admin, async (client) => {
    await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await client.query(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`);
  });
  await migrate(url);
  await connected(url, (client) => fill(client, events));
  await connected(admin, (client) => client.query(`COMMENT ON DATABASE ${name} IS '${stamp} ${Date.now()}'`));
  return url;
}

/** The statements of seed.sql for this number of events. A semicolon at the end of a line ends a statement. */
function seedFor(events) {
  const values = { __EVENTS__: events, __USERS__: userCountOf(events), __CROWD__: crowdEventIdOf(events) };
  return SEED.replace(/__[A-Z]+__/g, (name) => String(values[name])).split(/;\n/);
}

async function fill(client, events) {
  const { hashSecret } = require(resolve(ROOT, 'dist/libs/platform/text/hash-secret.js'));
  // The indexes that are not unique are dropped, and created again after the rows are inserted, because this is faster.
  const { rows } = await client.query(
    `SELECT indexrelid::regclass AS name, pg_get_indexdef(indexrelid) AS sql FROM pg_index
      WHERE indrelid = ANY ($1::regclass[]) AND NOT indisunique`,
    [['users', 'people_words', 'all_events', 'participations', 'live_events']],
  );
  for (const { name } of rows) await client.query(`DROP INDEX ${name}`);
  for (const sql of seedFor(events)) await timed(client, sql);
  for (const { sql } of rows) await timed(client, sql);
  await countWords(client);
  // The time of each token's last use is in the future, so that the service does not update it during a measurement.
  const hashes = Array.from({ length: TOKEN_COUNT }, (_, n) => hashSecret(tokenOf(n)));
  await client.query(
    `INSERT INTO tokens (user_id, name, hash, access, last_used_at, created_at)
     SELECT n * 3, 'bench', hash, 'write', now() + interval '10 years', now() FROM unnest($1::text[]) WITH ORDINALITY AS t (hash, n)`,
    [hashes],
  );
  await timed(client, 'VACUUM (ANALYZE)');
}

/**
 * Writes the same rows as live_words_recount() in a tenth of the time, because Node finds the parts of a word faster
 * than SQL.
 */
async function countWords(client) {
  const counts = { live_words: new Map(), live_grams: new Map() };
  const add = (table, keys) => {
    for (const key of keys) counts[table].set(key, (counts[table].get(key) ?? 0) + 1);
  };
  await client.query('BEGIN');
  await client.query('DECLARE texts CURSOR FOR SELECT folded FROM live_events');
  for (;;) {
    const { rows } = await client.query('FETCH 10000 FROM texts');
    if (rows.length === 0) break;
    for (const { folded } of rows) {
      const words = folded.split(' ').filter(Boolean);
      add('live_words', new Set(words.map((word) => word.slice(0, 100))));
      add('live_grams', gramsOf(words));
    }
  }
  await client.query('TRUNCATE live_words, live_grams');
  for (const [table, column] of [
    ['live_words', 'word'],
    ['live_grams', 'gram'],
  ])
    await client.query(`INSERT INTO ${table} (${column}, events) SELECT * FROM unnest($1::text[], $2::bigint[])`, [
      [...counts[table].keys()],
      [...counts[table].values()],
    ]);
  await client.query('COMMIT');
}

/** The distinct substrings of one or two characters of these words. */
function gramsOf(words) {
  const grams = new Set();
  for (const word of new Set(words))
    for (let i = 0; i < word.length; i++) {
      grams.add(word[i]);
      if (i + 1 < word.length) grams.add(word.slice(i, i + 2));
    }
  return grams;
}

async function timed(client, sql) {
  const since = performance.now();
  if (sql.trim()) await client.query(sql);
  if (performance.now() - since > 5_000)
    console.error(`  ${Math.round((performance.now() - since) / 1000)} s: ${sql.trim().slice(0, 60)} …`);
}
