import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createEmptyDatabase } from '#testing/test-database';
import { waitUntil } from '#testing/wait-until';

const ROOT = resolve(__dirname, '../..');

// The programs in these folders are not compiled, and other tests run only a few of them. For most programs, only this
// test notices that the path of a loaded module is wrong.
it.each(['bench', 'scripts'])('the programs in %s/ load only compiled modules whose source files exist', (folder) => {
  const programs = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.mjs'),
  );
  const loaded = programs.flatMap((file) =>
    [
      ...readFileSync(join(ROOT, folder, file), 'utf8').matchAll(/'(?:[./]*dist\/)?((?:libs|apps)\/[\w./-]+)\.js'/g),
    ].map(([, module = '']) => ({ file, module })),
  );
  expect(loaded.length).toBeGreaterThan(2);
  expect(loaded.filter(({ module }) => !existsSync(join(ROOT, `${module}.ts`)))).toEqual([]);
});

describe('npm run bench', () => {
  const bench = (...args: string[]) =>
    spawnSync(process.execPath, [join(ROOT, 'scripts/run.mjs'), 'bench', ...args], { encoding: 'utf8' });

  // The bench `start` has no options.
  it.each(['groups', 'start'])('refuses an unknown option of %s, and prints how to call this bench', (name) => {
    expect(bench(name, '--bogus', '1')).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(/^npm run bench -- \w+: Unknown option '--bogus'\n\nMeasures /),
    });
  });

  it('prints with --help how to call a bench', () => {
    expect(bench('groups', '--help')).toMatchObject({ status: 0, stdout: expect.stringContaining('--clients N') });
  });

  it('accepts exactly the options that the comment of each bench describes', () => {
    const files = readdirSync(join(ROOT, 'bench')).filter((file) => file.endsWith('.mjs'));
    const optionsOf = files.map((file) => {
      const text = readFileSync(join(ROOT, 'bench', file), 'utf8');
      const [comment = ''] = /^(?:\/\/.*\n)+/.exec(text) ?? [];
      const accepted = [...text.matchAll(/'?([a-z-]+)'?: \{ type: '(?:string|boolean)'/g)].map(
        ([, name]) => `--${name}`,
      );
      const described = comment.match(/--[a-z-]*[a-z]/g) ?? [];
      return { file, accepted: accepted.sort(), described: [...new Set(described)].sort() };
    });
    expect(optionsOf.map(({ file, described }) => ({ file, options: described }))).toEqual(
      optionsOf.map(({ file, accepted }) => ({ file, options: accepted })),
    );
  });
});

it('a bench ends with an error if the server aborts a response', () => {
  const program = `
    import { createServer } from 'node:http';
    import { joinFor } from ${JSON.stringify(pathToFileURL(join(ROOT, 'bench/lib/joins.mjs')))};
    const server = createServer((_, response) => {
      response.writeHead(200, { 'content-length': 9 }).write('half', () => response.destroy());
    });
    await new Promise((done) => server.listen(0, '127.0.0.1', done).unref());
    const origin = 'http://127.0.0.1:' + server.address().port;
    await joinFor(60_000, { origin, tokens: ['secret'], eventOf: () => 1, joins: 1 });`;
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([1, expect.stringContaining('Error: aborted')]);
});

it('a bench ends with an error while another run measures, and can run after the other run was killed', async () => {
  const database = await createEmptyDatabase();
  const program = `
    import { lockServer } from ${JSON.stringify(pathToFileURL(join(ROOT, 'bench/discover/database.mjs')))};
    const unlock = await lockServer(${JSON.stringify(database.url)});
    console.log('measuring');
    process.stdin.resume().on('end', unlock);`;
  const args = ['--input-type=module', '--eval', program];
  const run = () => spawnSync(process.execPath, args, { encoding: 'utf8', input: '' });
  const first = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  try {
    await once(first.stdout, 'data');
    expect(run()).toMatchObject({ status: 1, stderr: expect.stringContaining('Another run of this benchmark') });
    first.kill('SIGKILL');
    // PostgreSQL notices a moment later that the connection has ended.
    await waitUntil(() => run().status === 0);
  } finally {
    first.kill('SIGKILL');
    await database.drop();
  }
});
