// `npm run trace -- join`: lists the files and functions of this project that one request runs, measured by V8's
// precise coverage. The built server runs in this process with a separate database. Three other people send the same
// request first, so that one-time work (connections, prepared statements, cached metadata) is not counted. Code that
// runs only when a file is loaded is not counted. With `--files`, only the files are listed.
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import http from 'node:http';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { ensureBuilt } from './build.mjs';
import { freePort } from './free-port.mjs';

const require = createRequire(import.meta.url);
const DIST = resolve(import.meta.dirname, '../dist');
/** The requests by name. `path` returns the path for the id of an event. `maxParticipants: 1` makes the event full. */
const REQUESTS = {
  join: { method: 'POST', path: (id) => `/api/v1/events/${id}/join` },
  waitlist: { method: 'POST', path: (id) => `/api/v1/events/${id}/waitlist`, maxParticipants: 1 },
};

const [name, flag] = process.argv.slice(2);
const tracedRequest = Object.hasOwn(REQUESTS, name ?? '') ? REQUESTS[name] : null;
if (!tracedRequest || (flag !== undefined && flag !== '--files')) {
  console.error(`Usage: npm run trace -- ${Object.keys(REQUESTS).join(' | ')} [--files]`);
  process.exit(1);
}
await ensureBuilt();

const folder = mkdtempSync(join(tmpdir(), 'events-trace-'));
const { openEmbeddedPostgres } = require(join(DIST, 'libs/platform/database/embedded/embedded-postgres.js'));
const database = await openEmbeddedPostgres({ folder: join(folder, 'postgres') });
const client = new pg.Client({ connectionString: database.url });
const session = new Session();
let app;
try {
  const port = await freePort();
  Object.assign(process.env, {
    DATABASE_URL: database.url,
    DATA_DIR: folder,
    APP_SECRET: 'secret of a trace, and of nothing else',
    JOBS: 'off',
    LOG_LEVEL: 'error',
    PORT: String(port),
  });
  const { createServer: createService, open } = require(join(DIST, 'apps/server/server.js'));
  const server = await createService();
  app = server.app;
  await open(server);
  await client.connect();
  const { eventId, secrets } = await seed(tracedRequest);

  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const ask = (secret) => send(port, tracedRequest.method, tracedRequest.path(eventId), secret);
  await Promise.all(secrets.slice(1).map(ask));
  await session.post('Profiler.takePreciseCoverage');
  const status = await ask(secrets[0]);
  const { result } = await session.post('Profiler.takePreciseCoverage');

  const entered = result
    .filter(({ url }) => url.startsWith('file:') || url.startsWith('/'))
    .flatMap(ownFunctions)
    .sort((a, b) => (a.file < b.file ? -1 : 1));
  for (const { file, functions } of entered) console.log(flag ? file : `${file}: ${functions.join(', ')}`);
  const functions = entered.reduce((sum, one) => sum + one.functions.length, 0);
  console.log(`${tracedRequest.method} ${name} (${status}) enters ${entered.length} files, ${functions} functions.`);
} finally {
  session.disconnect();
  await client.end().catch(() => undefined);
  await app?.close();
  await database.release();
  rmSync(folder, { recursive: true, force: true });
}

/**
 * Returns the file of a script, and the functions in it that ran since the last measurement, as a list with one item.
 * The list is empty if no function ran, or if the script does not belong to this project.
 */
function ownFunctions({ url, functions }) {
  const path = url.startsWith('file:') ? fileURLToPath(url) : url;
  const ran = functions
    .filter(({ ranges: [{ count }] }) => count > 0)
    .map(({ functionName }) => functionName || '(anonymous)');
  return path.startsWith(`${DIST}/`) && ran.length > 0
    ? [{ file: relative(DIST, path).replace(/\.js$/, '.ts'), functions: ran }]
    : [];
}

/** Creates an organizer with an event, and four other people, who each have a token. Returns the four tokens. */
async function seed({ maxParticipants = null }) {
  const { mintSecret } = require(join(DIST, 'libs/areas/identity/token-secret.policy.js'));
  const secrets = Array.from({ length: 4 }, () => mintSecret());
  const hashes = secrets.map((secret) => createHash('sha256').update(secret).digest('hex'));
  await client.query(
    `INSERT INTO users (slug, name, verified, created_at, updated_at) SELECT 'p' || i, 'Petr ' || i, true, now(), now() FROM generate_series(0, 4) i`,
  );
  await client.query(
    `INSERT INTO tokens (user_id, name, hash, access, last_used_at, created_at)
     SELECT u.id, 'trace', h, 'write', now() + interval '1 day', now() FROM unnest($1::text[]) WITH ORDINALITY AS t (h, i) JOIN users u ON u.slug = 'p' || i`,
    [hashes],
  );
  const {
    rows: [{ id }],
  } = await client.query(
    `INSERT INTO events (organizer_id, title, type, starts_at, is_public, join_mode, seeking_company, photos_enabled, max_participants, created_at, updated_at)
     SELECT id, 'Piknik', 'food', now() + interval '1 day', true, 'open', false, false, $1, now(), now() FROM users WHERE slug = 'p0' RETURNING id`,
    [maxParticipants],
  );
  return { eventId: id, secrets };
}

function send(port, method, path, secret) {
  return new Promise((done, failed) => {
    const request = http.request(
      { host: '127.0.0.1', port, method, path, headers: { authorization: `Bearer ${secret}`, 'content-length': 0 } },
      (response) => {
        response.resume().on('error', failed);
        response.on('end', () =>
          response.statusCode === 200
            ? done(response.statusCode)
            : failed(new Error(`answered ${response.statusCode}`)),
        );
      },
    );
    request.on('error', failed);
    request.end();
  });
}
