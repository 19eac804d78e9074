import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transpile } from '#testing/transpiled';
import { waitUntil } from '#testing/wait-until';
import { runLimited, type ProcessLimits } from './limited-process';

const MB = 2 ** 20;
const ROOMY: ProcessLimits = { cpu: 20, wall: 20, memory: 4096 * MB, file: 64 * MB, output: MB };

/** Waits until the process is dead, because the kernel ends a killed process after a delay. */
async function untilDead(pid: number): Promise<void> {
  await waitUntil(() =>
    readFile(`/proc/${pid}/stat`, 'utf8').then(
      (line) => /\) [ZX] /.test(line),
      () => true,
    ),
  );
}

describe('a limited process', () => {
  const shell = (script: string, limits: Partial<ProcessLimits> = {}) =>
    runLimited('/bin/sh', ['-c', script], { ...ROOMY, ...limits });
  let folder: string;
  beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'limited-'))));
  afterAll(() => rm(folder, { recursive: true }));

  it('returns its output, its exit code and the way in which it has ended', async () => {
    expect(await shell('echo out; echo err >&2; exit 3')).toEqual({
      ending: 'exited',
      code: 3,
      stdout: 'out\n',
      stderr: 'err\n',
    });
  });

  it('gets its arguments unchanged', async () => {
    const odd = ['$HOME', '`id`', "';", '"', '-n', 'a b', '*'];
    const { stdout } = await runLimited(
      process.execPath,
      ['-e', 'console.log(JSON.stringify(process.argv.slice(1)))', '--', ...odd],
      ROOMY,
    );
    expect(JSON.parse(stdout)).toEqual(odd);
  });

  it('gets PATH, but no secrets from the environment of the server', async () => {
    process.env.LIMITED_SECRET = 'secret';
    const { stdout } = await shell('env');
    expect(stdout).not.toContain('secret');
    expect(stdout).toContain('PATH=');
  });

  it('exits with an error code if the program does not exist', async () => {
    const { ending, code } = await runLimited(join(folder, 'nothing'), [], ROOMY);
    expect([ending, code === 0]).toEqual(['exited', false]);
  });

  it('is not started if the server has no free file handle, and the server continues to run', async () => {
    const sources = transpile('libs/platform/media/limited-process.ts');
    const script = `
      const { runLimited } = require('./libs/platform/media/limited-process');
      const handles = [];
      try { for (;;) handles.push(require('node:fs').openSync('/dev/null')); } catch {}
      runLimited('/bin/true', [], ${JSON.stringify(ROOMY)}).then(({ ending }) => {
        handles.forEach(require('node:fs').closeSync);
        // The test checks this output.
        console.log(ending);
      });`;
    const { stdout } = await runLimited(
      '/bin/sh',
      ['-c', 'ulimit -n 60; cd "$1"; exec "$2" -e "$3"', 'sh', sources.folder, process.execPath, script],
      { ...ROOMY, memory: 16 * 2 ** 30 },
    );
    sources.remove();
    expect(stdout).toBe('not_started\n');
  });

  it('is killed with its child processes at its time limit', async () => {
    const pidFile = join(folder, 'pid');
    const { ending } = await shell(`sleep 60 & echo $! > ${pidFile}; wait`, { wall: 1 });
    expect(ending).toBe('out_of_time');
    await untilDead(Number(await readFile(pidFile, 'utf8')));
  });

  // OPS-44
  it('is killed with its child processes when the server stops', async () => {
    const stop = new AbortController();
    const pidFile = join(folder, 'stopped');
    const running = runLimited('/bin/sh', ['-c', `sleep 60 & echo $! > ${pidFile}; wait`], ROOMY, stop.signal);
    const pid = async () => Number(await readFile(pidFile, 'utf8').catch(() => '0'));
    while ((await pid()) === 0) await new Promise(setImmediate);
    stop.abort();
    expect(await running).toMatchObject({ ending: 'stopped', code: null });
    await untilDead(await pid());
    expect(await runLimited('/bin/sh', ['-c', `echo again > ${pidFile}`], ROOMY, stop.signal)).toMatchObject({
      ending: 'stopped',
    });
    // The second command did not run: the file still contains a number.
    expect(await pid()).not.toBeNaN();
  });

  it('is killed at its limit of processor time', async () => {
    expect((await shell('while :; do :; done', { cpu: 1 })).ending).toBe('killed');
  });

  it('cannot use more memory than its limit', async () => {
    const { ending, code } = await shell('x=$(head -c 400000000 /dev/zero | tr "\\0" x); echo ${#x}', {
      memory: 200 * MB,
    });
    expect(ending === 'exited' && code === 0).toBe(false);
  });

  it('cannot write larger files than its limit', async () => {
    const path = join(folder, 'large');
    await shell(`head -c 5000000 /dev/zero > ${path}`, { file: MB });
    expect((await stat(path)).size).toBeLessThanOrEqual(2 * MB);
  });

  it('is killed if its output is too long', async () => {
    const { ending, stdout } = await shell('yes', { output: 1000 });
    expect(ending).toBe('too_much_output');
    expect(stdout).toHaveLength(1000);
  });

  it('has a lower priority than the server', async () => {
    const { stdout } = await shell('nice');
    expect(Number(stdout)).toBeGreaterThan(0);
  });
});
