// Starts the built service with its demo on Node 20, 22 and 24. On each version, Discover, a join, a new event and an
// upload must work, the server must stop with the exit code 0, and `npm ci` must print no engine warning.
//   npm run rehearse -- engines [--versions 20,22,24] [--break]
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { folder, freePort, options, rehearse, ROOT, run, statusOf, until } from './lib/programs.mjs';

const { versions, isBroken } = options(
  'engines',
  { versions: '20,22,24' },
  'the service runs on Node 18, which its packages do not support',
);

await rehearse('engines', { maxMinutes: 15 }, async () => {
  const figures = {};
  for (const version of isBroken ? ['18'] : versions.split(',')) {
    // The npm package `node` contains the program of Node. The program is started directly, so that signals reach it.
    const program = execFileSync('npx', ['-y', `node@${version}`, '-p', 'process.execPath'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
    figures[version] = { ...(await smoke(program)), engine_warnings: warnings(program) };
  }
  const hasPassed = ({ discover, join: joined, create, upload, ended, engine_warnings: count }) =>
    [discover, joined, create, upload, ended, count].join() === '200,200,201,201,0,0';
  return { passed: Object.values(figures).every(hasPassed), ...figures };
});

/**
 * Starts the server with its demo on this version of Node, in an empty folder. Returns the version of Node, the
 * statuses of the responses, and the exit code of the server (`ended`).
 */
async function smoke(program) {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const server = run(program, [join(ROOT, 'dist/apps/server/main.js')], {
    env: { DATA_DIR: join(folder('engine'), 'data'), PORT: String(port) },
  });
  await until(`a server on ${program}`, async () => {
    if (server.isOver()) throw new Error(`the server ended with ${await server.ended}`);
    return /Bearer \w+/.test(server.output()) && (await statusOf(`${origin}/health/ready`)) === 200;
  });
  const ask = (path, { json, ...init } = {}) =>
    fetch(`${origin}/api/v1${path}`, {
      ...init,
      headers: {
        authorization: /Bearer \w+/.exec(server.output())[0],
        ...(json && { 'content-type': 'application/json' }),
      },
      ...(json && { body: JSON.stringify(json) }),
    });

  const discover = await ask('/discover/events?per_page=100');
  const open = (await discover.json()).data.find(({ viewer, join_mode }) => viewer.can_join && join_mode === 'open');
  const joined = await ask(`/events/${open.id}/join`, { method: 'POST' });
  const created = await ask('/events', {
    method: 'POST',
    json: { title: 'Picnic', starts_at: new Date(Date.now() + 86_400_000).toISOString() },
  });
  const form = new FormData();
  form.append(
    'images[]',
    new Blob([
      await sharp({ create: { width: 800, height: 600, channels: 3, background: '#467' } })
        .jpeg()
        .toBuffer(),
    ]),
    'a.jpg',
  );
  const uploaded = await ask(`/events/${(await created.json()).data.id}/images`, { method: 'POST', body: form });
  const ended = await server.stop();
  const node = execFileSync(program, ['--version'], { encoding: 'utf8' }).trim();
  return {
    node,
    discover: discover.status,
    join: joined.status,
    create: created.status,
    upload: uploaded.status,
    ended,
  };
}

/**
 * Returns the number of packages that do not support this version of Node, as reported by `npm ci`. Installs nothing.
 */
function warnings(program) {
  const copy = folder('ci');
  for (const file of ['package.json', 'package-lock.json']) cpSync(join(ROOT, file), join(copy, file));
  const npm = join(execFileSync('npm', ['root', '-g'], { encoding: 'utf8' }).trim(), 'npm/bin/npm-cli.js');
  const { stderr, status } = spawnSync(
    program,
    [npm, 'ci', '--dry-run', '--loglevel=warn', '--ignore-scripts', '--no-audit', '--no-fund'],
    { cwd: copy, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`npm ci on ${program}: ${stderr}`);
  return (stderr.match(/EBADENGINE {3}package:/g) ?? []).length;
}
