import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { describeWith, NOBODY } from '#testing/requirements';
import { withClient } from '#testing/test-cluster';
import { transpile } from '#testing/transpiled';
import { waitUntil } from '#testing/wait-until';
import { openHome } from './cluster';
import { openEmbeddedPostgres } from './embedded-postgres';
import { runningPostmaster } from './postmaster';
import { findPrograms } from './programs';

const OPEN = `
  require('./libs/platform/database/embedded/embedded-postgres').openEmbeddedPostgres({ folder: process.argv[1], durable: process.argv[2] !== 'disposable' }).then(
    (postgres) => { console.log(postgres.url); process.stdin.resume().on('end', () => postgres.release().then(() => process.exit())); },
    (error) => { console.log(error.name + ': ' + error.message); process.exit(1); });`;

const sources = transpile(
  'libs/platform/database/embedded',
  'libs/platform/config/data-folder.ts',
  'libs/platform/config/startup-error.ts',
  'libs/platform/net/free-port.ts',
  'libs/platform/workers/is-alive.ts',
);
const base = realpathSync(mkdtempSync(join(tmpdir(), 'embedded-')));
const folder = join(base, 'postgres');
const cluster = join(folder, 'cluster');
const children: ChildProcess[] = [];

/**
 * Starts a process that opens the database and uses it until the process is killed or its standard input ends. `output`
 * is the URL of the database, or an error message.
 */
async function otherProcess(
  where = folder,
  as: { uid?: number; gid?: number } = {},
  disposable = false,
): Promise<{ output: string; child: ChildProcess }> {
  const child = spawn(process.execPath, ['-e', OPEN, where, ...(disposable ? ['disposable'] : [])], {
    cwd: sources.folder,
    stdio: ['pipe', 'pipe', 'inherit'],
    ...as,
  });
  children.push(child);
  for await (const output of createInterface({ input: child.stdout })) return { output, child };
  throw new Error('The process printed no line.');
}

async function kill(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

const untilStopped = (where = folder) =>
  waitUntil(
    () =>
      runningPostmaster(join(where, 'cluster')) === null && !readdirSync(where).some((name) => name.startsWith('run-')),
  );
const notes = (url: string) =>
  withClient(url, async (client) =>
    (await client.query<{ note: string }>('SELECT note FROM notes')).rows.map(({ note }) => note),
  );

afterAll(async () => {
  children.forEach((child) => child.kill('SIGKILL'));
  if (existsSync(cluster)) await untilStopped();
  rmSync(base, { recursive: true, force: true });
  sources.remove();
});

describe('the embedded PostgreSQL', () => {
  beforeAll(async () => {
    const postgres = await openEmbeddedPostgres({ folder });
    await withClient(postgres.url, async (client) => {
      await client.query('CREATE TABLE notes (note text)');
      await client.query(`INSERT INTO notes VALUES ('žluťoučký kůň')`);
    });
    await postgres.release();
  });

  // OPS-8
  it('is created only once when two processes start it for the first time simultaneously', async () => {
    const fresh = join(mkdtempSync(join(base, 'fresh-')), 'postgres');
    const [ownShare, other] = await Promise.all([openEmbeddedPostgres({ folder: fresh }), otherProcess(fresh)]);
    expect(other.output).toBe(ownShare.url);
    expect(readdirSync(dirname(fresh))).toEqual(['postgres']);

    const facts = await withClient(ownShare.url, async (client) => {
      await client.query('CREATE TABLE notes (note text)');
      await client.query(`INSERT INTO notes VALUES ('žluťoučký kůň')`);
      return (
        await client.query(`SELECT current_setting('server_encoding') AS encoding, current_setting('fsync') AS fsync,
        current_setting('listen_addresses') AS addresses, (SELECT datctype FROM pg_database WHERE datname = current_database()) AS ctype`)
      ).rows[0];
    });
    expect(facts).toEqual({
      encoding: 'UTF8',
      fsync: 'on',
      addresses: '127.0.0.1',
      ctype: expect.stringMatching(/utf-?8/i),
    });

    await ownShare.release();
    expect(await notes(other.output)).toEqual(['žluťoučký kůň']);
    other.child.stdin!.end();
    await untilStopped(fresh);
  });

  // OPS-8
  it('requires its password', async () => {
    const postgres = await openEmbeddedPostgres({ folder });
    await expect(notes(postgres.url.replace(/:[0-9a-f]+@/, ':guess@'))).rejects.toThrow(
      'password authentication failed',
    );
    await postgres.release();
    expect(runningPostmaster(cluster)).toBeNull();
  });

  // OPS-2
  it('stops by itself when the only process that uses it is killed, and loses no data', async () => {
    const { output, child } = await otherProcess();
    await withClient(output, (client) => client.query(`INSERT INTO notes VALUES ('before the kill')`));
    await kill(child);
    await untilStopped();
    const reopened = await openEmbeddedPostgres({ folder });
    expect(await notes(reopened.url)).toContain('before the kill');
    await reopened.release();
  });

  it('continues to run for other processes when the process that started it is killed', async () => {
    const { output, child } = await otherProcess();
    const ownShare = await openEmbeddedPostgres({ folder });
    expect(ownShare.url).toBe(output);
    await kill(child);
    expect(await notes(ownShare.url)).toContain('žluťoučký kůň');
    await ownShare.release();
    await untilStopped();
  });

  it('is restarted by the next process that opens it if its keeper (the shell that runs PostgreSQL) and the only process that used it were killed', async () => {
    const { output, child } = await otherProcess();
    const leftover = runningPostmaster(cluster)!;
    const keeper = Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${leftover.pid}/status`, 'utf8'))![1]);
    const keeperSubshell = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(keeper)], { encoding: 'utf8' })
      .split('\n')
      .find((line) => line.includes('keeper'));
    for (const pid of [keeper, parseInt(keeperSubshell!), child.pid!]) process.kill(pid, 'SIGKILL');
    expect(await notes(output)).toContain('žluťoučký kůň');

    const reopened = await openEmbeddedPostgres({ folder });
    expect(runningPostmaster(cluster)!.pid).not.toBe(leftover.pid);
    expect(await notes(reopened.url)).toContain('žluťoučký kůň');
    await reopened.release();
    rmSync(join(folder, leftover.keeperFolder!), { recursive: true });
  });

  // OPS-8
  it('is restarted on the same port when it dies while processes use it', async () => {
    const postgres = await openEmbeddedPostgres({ folder });
    const { pid } = runningPostmaster(cluster)!;
    process.kill(pid, 'SIGKILL');
    await waitUntil(() => (runningPostmaster(cluster)?.pid ?? pid) !== pid && runningPostmaster(cluster)!.ready);
    expect(await notes(postgres.url)).toContain('žluťoučký kůň');
    await postgres.release();
    await untilStopped();
  });

  it('starts despite a leftover pid file whose process id now belongs to another process', async () => {
    writeFileSync(
      join(cluster, 'postmaster.pid'),
      `${process.pid}\n${cluster}\n1700000000\n5432\n\n127.0.0.1\n  1 2\nready   \n`,
    );
    const postgres = await openEmbeddedPostgres({ folder });
    expect(await notes(postgres.url)).toContain('žluťoučký kůň');
    await postgres.release();
  });

  it('has no interruption while it is opened and released many times in parallel', async () => {
    const visit = async (i: number) => {
      await pause((i * 37) % 200);
      const postgres = await openEmbeddedPostgres({ folder });
      const seen = await notes(postgres.url);
      await postgres.release();
      return seen.length;
    };
    const visits = await Promise.all(Array.from({ length: 30 }, (_, i) => visit(i)));
    expect(visits.filter((seen) => seen === 0)).toEqual([]);
    await untilStopped();
  });

  it('reports a problem with its folder in one line', async () => {
    writeFileSync(join(base, 'file'), '');
    await expect(openEmbeddedPostgres({ folder: join(base, 'file', 'postgres') })).rejects.toMatchObject({
      name: 'StartupError',
      message: expect.stringMatching(/^The embedded PostgreSQL cannot use .*file.*$/),
    });
    const originalVersion = readFileSync(join(cluster, 'PG_VERSION'), 'utf8');
    writeFileSync(join(cluster, 'PG_VERSION'), '12\n');
    await expect(openEmbeddedPostgres({ folder })).rejects.toMatchObject({
      name: 'StartupError',
      message: expect.stringContaining('incompatible'),
    });
    writeFileSync(join(cluster, 'PG_VERSION'), originalVersion);
  });

  it('reports why it does not start, even if its log contains accents or has just been replaced because of its size', async () => {
    const log = join(folder, 'postgres.log');
    const configuration = join(cluster, 'postgresql.conf');
    const original = readFileSync(configuration, 'utf8');
    writeFileSync(configuration, 'unknown_setting = on\n');
    for (const earlier of ['ž'.repeat(10_000), 'x'.repeat(1_000_001)]) {
      writeFileSync(log, `${earlier}\n`);
      await expect(openEmbeddedPostgres({ folder })).rejects.toThrow(
        /^The embedded PostgreSQL does not start: .*errors/,
      );
    }
    writeFileSync(configuration, original);
  });

  it('removes its folder at the end if it was opened as disposable (`durable: false`)', async () => {
    const disposable = join(base, 'disposable');
    const postgres = await openEmbeddedPostgres({ folder: disposable, durable: false });
    expect(existsSync(disposable)).toBe(true);
    await postgres.release();
    expect(existsSync(disposable)).toBe(false);
  });

  describeWith('root', 'started by root', () => {
    it('works if its data and PostgreSQL’s programs are in a folder that only root may enter', async () => {
      const locked = join(base, 'locked');
      mkdirSync(locked, { mode: 0o700 });
      cpSync(join(dirname(findPrograms().postgres), '..'), locked, { recursive: true, verbatimSymlinks: true });
      const programs = { postgres: join(locked, 'bin', 'postgres'), initdb: join(locked, 'bin', 'initdb') };
      const home = await openHome(join(locked, 'postgres'), programs, false);
      expect(home.launch.prefix[0]).toBe('setpriv');

      const postgres = await openEmbeddedPostgres({ folder: home.folder, durable: false });
      await withClient(postgres.url, (client) => client.query('SELECT 1'));
      await postgres.release();
    });

    it('removes a disposable folder that all users may enter and only root may remove', async () => {
      const open = mkdtempSync(join(base, 'open-'));
      chmodSync(open, 0o755);
      chmodSync(base, 0o755);
      const postgres = await openEmbeddedPostgres({ folder: join(open, 'postgres'), durable: false });
      await postgres.release();
      expect(readdirSync(open)).toEqual([]);
    });
  });

  describeWith('readable checkout', 'opened by root while an ordinary user has it open', () => {
    it('works in a folder of the ordinary user, but this user cannot open a database in a folder that root has created', async () => {
      const home = join(base, 'plain');
      chmodSync(base, 0o755);
      mkdirSync(home);
      chownSync(home, NOBODY.uid, NOBODY.gid);
      const { output, child } = await otherProcess(join(home, 'postgres'), NOBODY, true);
      expect(output).toMatch(/^postgres:/);
      const root = await openEmbeddedPostgres({ folder: join(home, 'postgres'), durable: false });
      expect(root.url).toBe(output);
      await kill(child);
      await root.release();
      expect(readdirSync(home)).toEqual([]);

      const refused = await otherProcess(folder, NOBODY);
      expect(refused.output).toMatch(/^StartupError: The embedded PostgreSQL cannot use .*may not read or write/);
    });
  });
});
