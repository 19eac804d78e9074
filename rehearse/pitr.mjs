// Rows are deleted by mistake. Then a base backup and archived WAL restore the state before the deletion.
//   npm run rehearse -- pitr [--requests 3000] [--break]
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { cli, environment, populate, sql, startServer } from './lib/installation.mjs';
import { startLoad } from './lib/load.mjs';
import { blockOf } from './lib/pages.mjs';
import { postgresServers } from './lib/postgres-server.mjs';
import { folder, freePort, need, options, rehearse, statusOf, until } from './lib/programs.mjs';
import { tablesOf } from './lib/snapshot.mjs';

const { requests, isBroken } = options(
  'pitr',
  { requests: 3000 },
  'the database is recovered to a time after the deletion',
);
const sharp = createRequire(import.meta.url)('sharp');
const PAGE = 'point-in-time.md';
/** The number of requests before the base backup starts. */
const REQUESTS_BEFORE = 1_500;
/**
 * After the base backup has started, the latency may be at most this many times the latency before. A base backup reads
 * the whole database, and shares the machine's processors with the service.
 */
const MAX_LATENCY_RATIO = 10;

await rehearse('pitr', { maxMinutes: 15 }, async () => {
  need('rsync', 'gzip', 'cmp');
  const servers = postgresServers('pitr');
  const [wal, base] = ['wal', 'base'].map((name) => servers.makeFolder(join(servers.baseFolder, name)));
  const configure = ({ data }, text, replacements) =>
    appendFileSync(join(data, 'postgresql.conf'), blockOf(PAGE, text, replacements));

  const first = await servers.newServer('first');
  await servers.initialize(first);
  configure(first, 'archive_mode = on', [['/srv/wal', wal]]);
  await servers.start(first);
  await sql(servers.urlOf(first, 'postgres'), 'CREATE DATABASE events');
  const url = servers.urlOf(first);
  const env = environment(url, folder('data'));
  const people = await populate(env);
  const server = await startServer(env, await freePort());
  const call = (origin, method, path, body) => request(origin, method, path, people.tokens[0], body);
  const picture = await upload(server.origin, people);

  const load = startLoad([server.origin], people);
  await load.sent(REQUESTS_BEFORE);
  load.phase('during');
  const enoughRequests = load.sent(requests);
  const backup = join(base, '2026-03-01');
  await servers.baseBackup(first, backup, '--checkpoint=fast');
  await servers.perform('pg_verifybackup', ['--quiet', backup]);
  const writesUntilBackupEnded = load.acknowledged();
  await enoughRequests;
  await load.pause();
  const writesAfterBackup = load.acknowledged() - writesUntilBackupEnded;
  const copies = folder('files');
  copyFiles(env, copies);

  const feedBeforeDeletion = await call(server.origin, 'GET', '/changes');
  const { content, at } = await quietMoment(url);
  const [{ comments }] = await sql(url, 'SELECT count(*)::int AS comments FROM comments');
  await pause(1_000);
  await call(server.origin, 'DELETE', `/events/${people.events[0]}/images/${picture.id}`);
  const { length: deleted } = await sql(url, 'DELETE FROM comments RETURNING id');
  await pause(1_000);
  const [{ later }] = await sql(url, 'SELECT now()::text AS later');
  await pause(1_000);
  await call(server.origin, 'POST', `/events/${people.events[0]}/comments`, { body: 'After the deletion' });
  const feedAfterDeletion = await call(server.origin, 'GET', '/changes');
  await cli(env, ['jobs', 'run', 'media-sweep']);
  copyFiles(env, copies);
  const statusAfterDeletion = await statusOfPicture(server.origin, picture);

  // Steps 1 to 3 of docs/operating/point-in-time.md.
  await server.stop();
  const since = performance.now();
  const [{ last }] = await sql(url, 'SELECT pg_walfile_name(pg_switch_wal()) AS last');
  await until('the last file of the WAL in the archive', () => readdirSync(wal).includes(`${last}.gz`));
  await first.program.stop('SIGINT');
  const second = await servers.newServer('second');
  await servers.perform('/bin/cp', ['-a', backup, second.data]);
  await servers.perform('/usr/bin/touch', [join(second.data, 'recovery.signal')]);
  // Steps 4 and 5. On Debian, the configuration is outside the data folder. Here it is inside the data folder, so the
  // base backup already contains the code block that configures the archive.
  configure(second, 'recovery_target_time', [
    ['/srv/wal', wal],
    ['2026-03-01 12:00:00+00', isBroken ? later : at],
  ]);
  await servers.start(second);
  const recovered = servers.urlOf(second);
  await until('the recovery up to the target time', async () => {
    const [{ state }] = await sql(recovered, 'SELECT pg_get_wal_replay_pause_state() AS state');
    return state === 'paused';
  });
  await sql(recovered, 'SELECT pg_wal_replay_resume()');
  await until('the end of the recovery', async () => {
    const [{ recovers }] = await sql(recovered, 'SELECT pg_is_in_recovery() AS recovers');
    return !recovers;
  });
  const seconds = Math.round((performance.now() - since) / 100) / 10;
  const { tables } = await tablesOf(recovered);
  const names = new Set([...Object.keys(content), ...Object.keys(tables)]);
  const different = [...names].filter((name) => JSON.stringify(content[name]) !== JSON.stringify(tables[name]));
  for (const name of different)
    console.error(`${name}: ${JSON.stringify(content[name])}, recovered ${JSON.stringify(tables[name])}`);

  // Steps 6 to 8.
  await sql(recovered, blockOf(PAGE, 'UPDATE public_id_salts'));
  restoreFiles(env, copies);
  const recoveredEnv = { ...env, DATABASE_URL: recovered };
  const doctor = await cli(recoveredEnv, ['doctor']);
  const isWell = Object.values(doctor).every(({ ok }) => ok);
  const { intact } = await cli(recoveredEnv, ['audit', 'verify']);
  const next = await startServer(recoveredEnv, await freePort());
  const statusAfterRecovery = await statusOfPicture(next.origin, picture);
  const cursorStatuses = [];
  for (const { body } of [feedBeforeDeletion, feedAfterDeletion])
    cursorStatuses.push((await call(next.origin, 'GET', `/changes?cursor=${body.meta.cursor}`)).status);
  const { status: writeStatus } = await call(next.origin, 'POST', `/events/${people.events[0]}/comments`, {
    body: 'Again',
  });
  const figures = await load.end({ ratio: MAX_LATENCY_RATIO, from: next.origin });
  const files = readdirSync(wal).filter((name) => name.endsWith('.gz'));
  return {
    ...figures,
    passed:
      figures.passed &&
      different.length === 0 &&
      names.size > 50 &&
      deleted === comments &&
      deleted > 0 &&
      writesAfterBackup > 0 &&
      statusAfterDeletion === 404 &&
      statusAfterRecovery === 200 &&
      cursorStatuses.every((status) => status === 422) &&
      writeStatus === 201 &&
      isWell &&
      intact,
    tables: names.size,
    different_tables: different,
    deleted_comments: deleted,
    writes_after_base_backup: writesAfterBackup,
    picture_after_deletion: statusAfterDeletion,
    picture_after_recovery: statusAfterRecovery,
    former_cursors: cursorStatuses,
    doctor: isWell,
    seconds_to_recover: seconds,
    wal_files: files.length,
    wal_bytes: files.reduce((sum, name) => sum + statSync(join(wal, name)).size, 0),
  };
});

async function request(origin, method, path, token, body) {
  const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) };
  const answer = await fetch(`${origin}/api/v1${path}`, { method, headers, body: body && JSON.stringify(body) });
  const text = await answer.text();
  return { status: answer.status, body: text && JSON.parse(text) };
}

/** Uploads a picture to the first event. Returns {id, path}. */
async function upload(origin, { tokens, events }) {
  const picture = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#357' } })
    .png()
    .toBuffer();
  const form = new FormData();
  form.append('images[]', new Blob([picture]), 'picture.png');
  const headers = { authorization: `Bearer ${tokens[0]}` };
  const answer = await fetch(`${origin}/api/v1/events/${events[0]}/images`, { method: 'POST', headers, body: form });
  if (!answer.ok) throw new Error(`an upload: ${answer.status} ${await answer.text()}`);
  const {
    data: [{ id, url }],
  } = await answer.json();
  return { id, path: new URL(url).pathname };
}

function statusOfPicture(origin, { path }) {
  return statusOf(origin + path);
}

/**
 * Returns the content of the tables and a time of the database's clock. The tables did not change in the second before
 * this time and in the second after this time.
 */
async function quietMoment(url) {
  let before = await tablesOf(url);
  for (;;) {
    await pause(1_000);
    const [{ at }] = await sql(url, 'SELECT now()::text AS at');
    await pause(1_000);
    const after = await tablesOf(url);
    if (JSON.stringify(before) === JSON.stringify(after)) return { content: after.tables, at };
    before = after;
  }
}

/** Runs the code block of point-in-time.md that contains `text`, with the folders of this rehearsal. */
function shell(text, { DATA_DIR }, copies) {
  const block = blockOf(PAGE, text, [
    ['/var/lib/events/files', join(DATA_DIR, 'files')],
    ['/srv/files', join(copies, 'files')],
  ]);
  execFileSync('/bin/sh', ['-ec', block], { cwd: copies, stdio: 'inherit' });
}

function copyFiles(env, copies) {
  for (const name of ['files', 'files-deleted']) mkdirSync(join(copies, name), { recursive: true });
  shell('rsync -a --delete', env, copies);
}

function restoreFiles(env, copies) {
  shell('rsync -a --ignore-existing', env, copies);
}
