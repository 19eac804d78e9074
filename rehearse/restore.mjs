// A backup is made under 100 requests a second and restored elsewhere; then, with nobody at work, one whose installation answers every request as before.
//   npm run rehearse -- restore [--requests 3000]
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { anotherDatabase, cli, environment, openDatabase, populate, sql, startServer } from './lib/installation.mjs';
import { steadyLoad } from './lib/load.mjs';
import { folder, freePort, rehearse } from './lib/programs.mjs';

const {
  values: { requests },
} = parseArgs({ options: { requests: { type: 'string', default: '3000' } } });
const sharp = createRequire(import.meta.url)('sharp');

await rehearse('restore', 8, async () => {
  const url = await openDatabase();
  const env = environment(url, folder('data'));
  const people = await populate(env);
  await addPictures(env);
  const server = await startServer(env, await freePort());

  const backups = folder('backups');
  let underLoad = null;
  const load = steadyLoad(server.origin, people, {
    requests: Number(requests),
    onRequest: (n) => n === 300 && (underLoad = cli(env, ['backup', backups])),
  });
  const figures = await load;
  const busy = await restored(url, await underLoad, 'busy');
  const still = await restored(url, await cli(env, ['backup', folder('quiet')]), 'quiet');

  const other = await startServer(still.env, await freePort());
  const paths = await everything(url, people);
  let different = 0;
  for (const [path, token] of paths) {
    const [before, after] = [await answerOf(server.origin, path, token), await answerOf(other.origin, path, token)];
    if (before.status !== 200 || before.status !== after.status || before.body !== after.body) {
      different++;
      if (different <= 5) console.error(`${path}: ${before.status}, ${after.status}`);
    }
  }
  return {
    held: figures.failed === 0 && different === 0 && busy.ok && still.ok && paths.length > 100,
    rows: still.contents.rows,
    files: still.contents.files,
    bytes: still.bytes,
    compared: paths.length,
    different,
    doctor_under_load: busy.ok,
    doctor: still.ok,
    ...figures,
  };
});

async function addPictures(env) {
  const place = folder('pictures');
  for (let n = 0; n < 10; n++) {
    const path = join(place, `${n}.png`);
    writeFileSync(
      path,
      await sharp({ create: { width: 600, height: 600, channels: 3, background: { r: 25 * n, g: 120, b: 90 } } })
        .png()
        .toBuffer(),
    );
    await cli(env, ['user', 'update', `person-${n}`, '--avatar', path]);
  }
}

async function restored(source, { file, bytes }, name) {
  const env = environment(await anotherDatabase(source, `rehearsal_${name}_${process.pid}`), folder(name));
  const contents = await cli(env, ['restore', join(file, '..')]);
  const doctor = await cli(env, ['doctor']);
  return { env, contents, bytes, ok: Object.values(doctor).every(({ ok }) => ok) };
}

/** Paths with the token of their requests; files without. */
async function everything(url, { tokens, events }) {
  const files = (await sql(url, `SELECT key FROM media_files WHERE state = 'kept'`)).map(({ key }) => key);
  const own = tokens.flatMap((token) =>
    ['/api/v1/user', '/api/v1/discover/events', '/api/v1/events?relation=joined', '/api/v1/notices'].map((path) => [
      path,
      token,
    ]),
  );
  return [
    ...own,
    ...events.map((id, n) => [`/api/v1/events/${id}`, tokens[n]]),
    ...files.map((key) => [`/media/${key}`, null]),
  ];
}

async function answerOf(origin, path, token) {
  const answer = await fetch(origin + path, { headers: token ? { authorization: `Bearer ${token}` } : {} });
  return { status: answer.status, body: Buffer.from(await answer.arrayBuffer()).toString('base64') };
}
