// A backup is made while people write and upload, and is restored into another installation.
// After the restore, every table, and every file to which a row refers, must be as it was at the moment of the backup.
//   npm run rehearse -- restore [--requests 3000] [--break]
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createDatabase, cli, environment, openDatabase, populate, sql, startServer } from './lib/installation.mjs';
import { startLoad } from './lib/load.mjs';
import { folder, freePort, options, rehearse } from './lib/programs.mjs';
import { relayWithSnapshot, tablesOf } from './lib/snapshot.mjs';

const { requests, isBroken } = options('restore', { requests: 3000 }, 'one row is deleted after the restore');
const sharp = createRequire(import.meta.url)('sharp');
const REQUESTS_BEFORE = 1_500;
const PICTURES = 12;
/**
 * From the start of the backup, the latency (95th percentile) may be at most this many times the latency before the
 * backup. A latency below 50 ms before the backup counts as 50 ms. A backup reads all tables and files, and it shares
 * the machine's processors with the service.
 */
const MAX_LATENCY_RATIO = 10;

await rehearse('restore', { maxMinutes: 15 }, async () => {
  const url = await openDatabase();
  const env = environment(url, folder('data'));
  const people = await populate(env);
  const server = await startServer(env, await freePort());
  const load = startLoad([server.origin], people);
  await load.sent(REQUESTS_BEFORE);
  let isOver = false;
  const uploading = upload(server.origin, people, () => isOver);
  // This handler prevents an unhandled rejection. If an upload fails, `await uploading` below throws the error.
  uploading.catch(() => undefined);
  await load.sent(200);

  load.phase('during');
  const enoughRequests = load.sent(requests);
  // At the moment of the snapshot, `cp -al` creates hard links to all files. If a file is deleted later, its link can
  // still be read.
  const moments = [];
  const relay = await relayWithSnapshot(url, async (snapshot) => {
    const files = join(folder('moment'), 'files');
    execFileSync('cp', ['-al', join(env.DATA_DIR, 'files'), files]);
    moments.push({ ...(await tablesOf(url, snapshot)), files: filesIn(files) });
  });
  const wroteBefore = load.acknowledged();
  const { file, bytes } = await cli({ ...env, DATABASE_URL: relay }, ['backup', folder('backups')]);
  const wroteMeanwhile = load.acknowledged() - wroteBefore;
  const moment = moments.at(-1);
  await enoughRequests;
  isOver = true;
  const uploads = await uploading;
  const figures = await load.end({ ratio: MAX_LATENCY_RATIO });

  const target = environment(await createDatabase(url, `rehearsal_restored_${process.pid}`), folder('restored'));
  const contents = await cli(target, ['restore', join(file, '..')]);
  if (isBroken) await sql(target.DATABASE_URL, 'DELETE FROM comments WHERE id = (SELECT max(id) FROM comments)');
  const { tables } = await tablesOf(target.DATABASE_URL);
  const files = filesIn(join(target.DATA_DIR, 'files'));
  const names = new Set([...Object.keys(moment.tables), ...Object.keys(tables)]);
  const differentTables = [...names].filter(
    (name) => JSON.stringify(moment.tables[name]) !== JSON.stringify(tables[name]),
  );
  for (const name of differentTables)
    console.error(`${name}: ${JSON.stringify(moment.tables[name])}, restored ${JSON.stringify(tables[name])}`);
  // A file must be restored if a row in the snapshot refers to it. The job `media-sweep` deletes all other files, so
  // they are not compared.
  const expectedFiles = [...moment.files].filter(([name]) => moment.referencedKeys.some((key) => belongsTo(name, key)));
  const differentFiles = expectedFiles.filter(([name, digest]) => files.get(name) !== digest);
  for (const [name] of differentFiles) console.error(`${name}: ${files.has(name) ? 'different content' : 'missing'}`);
  const restored = await startServer(target, await freePort());
  const doctor = await cli(target, ['doctor']);
  const isWell = Object.values(doctor).every(({ ok }) => ok);
  const { status } = await fetch(`${restored.origin}/api/v1/user`, {
    headers: { authorization: `Bearer ${people.tokens[0]}` },
  });
  return {
    ...figures,
    passed:
      figures.passed &&
      differentTables.length === 0 &&
      differentFiles.length === 0 &&
      names.size > 50 &&
      moment.referencedKeys.every((key) => moment.files.has(key)) &&
      moment.referencedKeys.length > 0 &&
      uploads > 0 &&
      wroteMeanwhile > 0 &&
      isWell &&
      status === 200,
    tables: names.size,
    different_tables: differentTables,
    rows: contents.rows,
    files: expectedFiles.length,
    different_files: differentFiles.length,
    bytes,
    uploads,
    writes_during_backup: wroteMeanwhile,
    doctor: isWell,
    restored_answers: status,
  };
});

/**
 * Until `isOver()` is true, the first `PICTURES` people take turns: each person adds a picture to the person's own
 * event, and then deletes the picture of the person's previous turn. Returns the number of added pictures.
 */
async function upload(origin, { tokens, events }, isOver) {
  let count = 0;
  const present = new Map();
  for (let n = 0; !isOver(); n = (n + 1) % PICTURES) {
    const picture = await sharp({
      create: { width: 300, height: 200, channels: 3, background: { r: (count * 7) % 256, g: 20 * n, b: 90 } },
    })
      .png()
      .toBuffer();
    const [path, headers] = [`${origin}/api/v1/events/${events[n]}/images`, { authorization: `Bearer ${tokens[n]}` }];
    const form = new FormData();
    form.append('images[]', new Blob([picture]), 'picture.png');
    const answer = await fetch(path, { method: 'POST', headers, body: form });
    if (!answer.ok) throw new Error(`an upload: ${answer.status} ${await answer.text()}`);
    count++;
    const {
      data: [{ id }],
    } = await answer.json();
    const former = present.get(n);
    present.set(n, id);
    if (former) {
      const removed = await fetch(`${path}/${former}`, { method: 'DELETE', headers });
      if (!removed.ok) throw new Error(`the removal of a picture: ${removed.status}`);
    }
  }
  return count;
}

function filesIn(path) {
  return new Map(
    readdirSync(path, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => [
        name,
        createHash('sha256')
          .update(readFileSync(join(parentPath, name)))
          .digest('hex'),
      ]),
  );
}

/** Whether the file has this key, or is derived from the file with this key: `3f…c0-thumb.jpg` for `3f…c0.jpg`. */
function belongsTo(name, key) {
  return name === key || name.startsWith(`${key.split('.')[0]}-`);
}
