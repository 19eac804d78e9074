import { createHash, createHmac, hkdfSync } from 'node:crypto';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { buffer as bytesOf } from 'node:stream/consumers';
import { finished } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { extract, pack } from 'tar-stream';
import { demoToken, loadDemo } from '#apps/server/demo/demo';
import { readArchive, type Entry } from '#platform/backup/archive';
import { backup, backupInto } from '#platform/backup/backup';
import { restore } from '#platform/backup/restore';
import { OperatorError } from '#platform/config/operator-error';
import { Settings } from '#platform/config/settings';
import { OWN_PREFIX } from '#platform/workers/work-owner';
import { LocalStorage } from '#platform/storage/local-storage';
import { Storage } from '#platform/storage/storage';
import { CommandLine } from '#testing/command-line';
import { picture } from '#testing/media';
import { repetitions } from '#testing/repetitions';
import { withClient } from '#testing/test-cluster';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '#testing/test-database';
import { TestServer } from '#testing/test-server';
import { waitUntil } from '#testing/wait-until';

const ROOT = join(__dirname, '..', '..');
const CLI = [
  '--conditions=events-source',
  '--require',
  join(ROOT, 'libs/testing/register-typescript.cjs'),
  join(ROOT, 'apps/cli/main.ts'),
];
const KILLS = repetitions('backup_kills');
/** Pages that the operator wrote. */
const TEXTS = { 'terms.cs.md': '# Podmínky\n', 'help.en.md': 'Ask *us*.\n' };
/**
 * Stands for the secret of the server that made the backup. The rows of `it.each` are evaluated before the server
 * starts, so they cannot contain the secret itself.
 */
const SECRET_OF_SERVER = 'the secret of the server';
const ADD_JANA = `INSERT INTO users (slug, name, locale, timezone, created_at, updated_at)
  VALUES ('jana', 'Jana', 'cs', 'Europe/Prague', now(), now())`;
const silent = (): void => undefined;

// OPS-54
describe('a backup', () => {
  let server: TestServer;
  let token: string;
  /** The archive of an installation with the demo content. */
  let archive: string;
  /** An archive with one account, one file and the texts of the operator, for tests that need no other content. */
  let smallArchive: string;
  const [folder, smallFolder] = [mkdtempSync(join(tmpdir(), 'backups-')), mkdtempSync(join(tmpdir(), 'small-'))];
  const drops: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    server = await TestServer.start();
    mkdirSync(source().pagesFolder);
    for (const [name, text] of Object.entries(TEXTS)) writeFileSync(join(source().pagesFolder, name), text);
    smallArchive = await backupOfOneAccount();
    await loadDemo(server.app);
    token = (await demoToken(server.app))!;
    archive = (await backupInto(folder, source(), new Date('2026-01-01T00:00:00Z'), silent)).file;
  });
  afterAll(async () => {
    await server.stop();
    for (const drop of drops) await drop();
    for (const one of [folder, smallFolder]) rmSync(one, { recursive: true });
  });

  const source = () => {
    const { databaseUrl, appSecret, dataDir } = server.app.get(Settings);
    const [storage, pagesFolder] = [server.app.get(Storage), join(dataDir, 'pages')];
    return { databaseUrl: databaseUrl!, secret: appSecret, storage, pagesFolder };
  };
  /** Creates an account and a file, makes a backup, and deletes both, because the demo needs an empty database. */
  async function backupOfOneAccount(): Promise<string> {
    const [path, key] = [join(smallFolder, 'file'), `${'a'.repeat(40)}.jpg`];
    writeFileSync(path, await picture('jpeg', { width: 40 }));
    await server.app.get(Storage).write(key, path, 'image/jpeg');
    await server.sql(ADD_JANA);
    await server.sql(
      `INSERT INTO media_files (key, kind, state, bytes, created_at) VALUES ($1, 'picture', 'kept', 1, now())`,
      [key],
    );
    const { file } = await backupInto(smallFolder, source(), new Date('2026-01-01T00:00:00Z'), silent);
    await server.sql('DELETE FROM media_files');
    await server.sql('DELETE FROM users');
    await server.app.get(Storage).remove(key);
    return file;
  }
  async function database(make: () => Promise<TestDatabase> = createEmptyDatabase): Promise<string> {
    const created = await make();
    drops.push(() => created.drop());
    return created.url;
  }
  /** A database without rows. Its tables exist already, so that a restore does not spend time creating them. */
  const migratedDatabase = (): Promise<string> => database(createTestDatabase);
  const target = (
    databaseUrl: string,
    dataDir: string,
    adopted: string[] = [],
    secret: string | null = null,
    sha256?: string,
  ) => ({
    databaseUrl,
    storage: new LocalStorage(join(dataDir, 'files')),
    pagesFolder: join(dataDir, 'pages'),
    secret,
    adoptSecret: (found: string) => void adopted.push(found),
    sha256,
  });
  const countAccounts = (url: string): Promise<number> =>
    withClient(url, async (client) => {
      const {
        rows: [found],
      } = await client.query<{ known: boolean }>(`SELECT to_regclass('users') IS NOT NULL AS known`);
      return found?.known
        ? Number((await client.query<{ n: string }>('SELECT count(*) AS n FROM users')).rows[0]?.n)
        : 0;
    });

  const keptFiles = (url: string): Promise<string[]> =>
    withClient(url, async (client) =>
      (await client.query<{ key: string }>(`SELECT key FROM media_files WHERE state = 'kept'`)).rows.map(
        ({ key }) => key,
      ),
    );

  it('is a single file that only its owner can read', () => {
    expect(readdirSync(folder)).toContain('events-20260101T000000Z.tar');
    expect(readdirSync(folder).filter((name) => name.startsWith('.'))).toEqual([]);
    expect(statSync(archive).mode & 0o777).toBe(0o600);
  });

  it('is complete if another backup is written into the same folder at the same time; old unfinished archives there are deleted', async () => {
    const backupFolder = mkdtempSync(join(tmpdir(), 'parallel-'));
    const abandoned = ['.events-backup.part', 'work-another_host-4194999-123-aaaaaa-backup.part'];
    for (const name of abandoned) {
      writeFileSync(join(backupFolder, name), 'x');
      utimesSync(join(backupFolder, name), 0, 0);
    }
    const written = await Promise.all(
      ['2026-01-02', '2026-01-03'].map((day) =>
        backupInto(backupFolder, source(), new Date(`${day}T00:00:00Z`), silent),
      ),
    );
    expect(readdirSync(backupFolder)).toEqual(['events-20260102T000000Z.tar', 'events-20260103T000000Z.tar']);
    for (const { file, sha256 } of written) {
      const handlers = { manifest: async () => undefined, entry: ({ content }: Entry) => finished(content.resume()) };
      expect(await readArchive(createReadStream(file), handlers)).toMatchObject({ sha256 });
    }
    rmSync(backupFolder, { recursive: true });
  });

  it('can be restored to a server that answers every read as before and accepts new writes', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'restored-'));
    const url = await database();
    const secrets: string[] = [];
    const contents = await restore(createReadStream(archive), target(url, dataDir, secrets), silent);
    expect(contents.files).toBeGreaterThan(20);
    expect(secrets).toEqual([source().secret]);
    for (const [name, text] of Object.entries(TEXTS))
      expect(readFileSync(join(dataDir, 'pages', name), 'utf8')).toBe(text);

    const other = await TestServer.start({ dataDir, appSecret: secrets[0]! }, undefined, async () => ({
      url,
      drop: async () => undefined,
    }));
    try {
      const request = async (origin: string, path: string): Promise<SentAnswer> => {
        const answer = await fetch(origin + path, {
          headers: path.startsWith('/api') ? { authorization: `Bearer ${token}` } : {},
        });
        return [answer.status, Buffer.from(await answer.arrayBuffer()).toString('base64')];
      };
      const answers = await visibleAnswers((path) => request(server.origin, path));
      expect(answers.size).toBeGreaterThan(150);
      const differences = [];
      for (const [path, before] of answers) {
        const after = await request(other.origin, path);
        if (before[0] !== 200 || before[1] !== after[1]) differences.push([path, before[0], after[0]]);
      }
      expect(differences).toEqual([]);

      // The first request counts the events. The second request updates this stored count with the changes recorded
      // since then. A restore must not record the restored events as changes.
      for (let i = 0; i < 2; i++)
        expect(await request(other.origin, '/api/v1/discover/events')).toEqual(
          await request(server.origin, '/api/v1/discover/events'),
        );
      const creation = await fetch(`${other.origin}/api/v1/posts`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ title: 'Po obnově', body: 'Jde se dál.', categories: ['evropa'] }),
      });
      expect(creation.status).toBe(201);
    } finally {
      await other.stop();
      rmSync(dataDir, { recursive: true });
    }
  });

  it('contains the state of one moment, even while rows and files are written and deleted', async () => {
    let isWriting = true;
    const people = await Promise.all(['jedna', 'dve', 'tri'].map((slug) => server.person(slug)));
    const cover = new Blob([new Uint8Array(await picture('png', { width: 40 }))]);
    const writers = people.map(async ({ api }) => {
      for (let n = 0; isWriting; n++) {
        const { body } = await api.post('/posts', { title: `Zápis ${n}`, body: 'Text', categories: ['evropa'] });
        if (!body.data) throw new Error(JSON.stringify(body));
        await api.upload(`/posts/${body.data.slug}/cover`, [['cover', cover]]);
        if (n % 2 === 1) await api.delete(`/posts/${body.data.slug}`);
      }
    });
    const path = join(mkdtempSync(join(tmpdir(), 'busy-')), 'busy.tar');
    await backup(createWriteStream(path), source(), new Date(), silent);
    isWriting = false;
    await Promise.all(writers);

    const dataDir = mkdtempSync(join(tmpdir(), 'restored-'));
    const url = await migratedDatabase();
    await restore(createReadStream(path), target(url, dataDir), silent);
    const storage = new LocalStorage(join(dataDir, 'files'));
    expect(await Promise.all((await keptFiles(url)).map((key) => storage.size(key)))).not.toContain(null);
    rmSync(dataDir, { recursive: true });
    rmSync(path);
  });

  it('contains the files that its snapshot refers to, even if files were created or deleted during the backup', async () => {
    const { api } = await server.person('ctyri');
    const cover = new Blob([new Uint8Array(await picture('png', { width: 40 }))]);
    const post = async (): Promise<string> => {
      const { slug } = (await api.post('/posts', { title: 'Mezitím', body: 'Text', categories: ['evropa'] })).body.data;
      await api.upload(`/posts/${slug}/cover`, [['cover', cover]]);
      return slug as string;
    };
    const stored = server.app.get(Storage);
    const before = new Set(await keptFiles(source().databaseUrl));
    let [latePost, deletedPost] = ['', ''];
    // Two posts are created after the backup has listed the files. One of these posts is deleted when the backup first
    // reads the size of a new file.
    const storage = Object.assign(Object.create(stored) as Storage, {
      size: async (name: string) => {
        if (latePost === '') [latePost, deletedPost] = [await post(), await post()];
        else if (deletedPost !== 'gone' && !before.has(name.replace('-thumb', ''))) {
          await api.delete(`/posts/${deletedPost}`);
          deletedPost = 'gone';
        }
        return stored.size(name);
      },
    });
    const path = join(mkdtempSync(join(tmpdir(), 'late-')), 'late.tar');
    await backup(createWriteStream(path), { ...source(), storage }, new Date(), silent);
    const dataDir = mkdtempSync(join(tmpdir(), 'restored-'));
    const url = await migratedDatabase();
    await restore(createReadStream(path), target(url, dataDir), silent);
    const restored = new LocalStorage(join(dataDir, 'files'));
    const restoredKeys = await keptFiles(url);
    expect(restoredKeys.some((key) => !before.has(key))).toBe(true);
    expect(await Promise.all(restoredKeys.map((key) => restored.size(key)))).not.toContain(null);
    for (const one of [dataDir, path]) rmSync(one, { recursive: true });
  });

  describe('is not restored, and the database stays unchanged, when the archive', () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'refused-'));
    /** All archives are refused, so this database stays without rows. */
    let url: string;
    beforeAll(async () => (url = await migratedDatabase()));
    afterAll(() => rmSync(dataDir, { recursive: true }));
    const intactArchive = () => readFileSync(smallArchive);
    const withFlippedBit = (at: number) => {
      const bytes = Buffer.from(intactArchive());
      bytes[at] = bytes[at]! ^ 1;
      return bytes;
    };

    it.each<[string, () => Buffer, RegExp]>([
      ['is cut off in the middle', () => intactArchive().subarray(0, intactArchive().length / 2), /cut off/],
      ['is cut off before its end', () => intactArchive().subarray(0, intactArchive().length - 4096), /cut off/],
      [
        'has no end entry, although the tar file is closed correctly',
        () => Buffer.concat([intactArchive().subarray(0, intactArchive().lastIndexOf('end.json')), Buffer.alloc(1024)]),
        /no end/,
      ],
      [
        'has one changed bit',
        () => withFlippedBit(intactArchive().indexOf('secret of the tests') + 3),
        /damaged|checksum|cut off/,
      ],
      ['is another kind of file', () => Buffer.from('no archive at all'.repeat(1000)), /not a backup/],
      ['is empty', () => Buffer.alloc(0), /not a backup/],
    ])('%s', async (_, bytes, reason) => {
      const path = join(dataDir, 'archive');
      writeFileSync(path, bytes());
      await expect(restore(createReadStream(path), target(url, dataDir), silent)).rejects.toThrow(reason);
      expect(await countAccounts(url)).toBe(0);
    });

    // OPS-80
    it.each<[string, () => Promise<Buffer>, string | null, string | undefined, RegExp]>([
      [
        'contains a secret that is not the secret of the installation',
        () => rewritten(smallArchive),
        'another secret, and long enough',
        undefined,
        /is not the secret of the backup/,
      ],
      [
        'has a digest that differs from --sha256',
        () => rewritten(smallArchive),
        null,
        'a'.repeat(64),
        /does not have the digest of --sha256/,
      ],
      [
        'is signed with another secret',
        () => rewritten(smallArchive, { signWith: 'another secret, and long enough' }),
        null,
        undefined,
        /not signed/,
      ],
      [
        'contains no secret, and APP_SECRET is not set',
        () => rewritten(smallArchive, { change: (name) => (name === 'secret' ? null : undefined) }),
        null,
        undefined,
        /set the APP_SECRET/,
      ],
      [
        'contains no secret, and is signed with another secret',
        () =>
          rewritten(smallArchive, {
            change: (name) => (name === 'secret' ? null : undefined),
            signWith: 'another secret, and long enough',
          }),
        SECRET_OF_SERVER,
        undefined,
        /not signed/,
      ],
      [
        'contains no secret and no signature',
        () => rewritten(smallArchive, { change: (name) => (name === 'secret' ? null : undefined), signWith: null }),
        SECRET_OF_SERVER,
        undefined,
        /not signed/,
      ],
    ])('%s; no file of the archive is stored', async (_, bytes, secret, sha256, reason) => {
      const path = join(dataDir, 'archive');
      writeFileSync(path, await bytes());
      const adopted: string[] = [];
      await expect(
        restore(
          createReadStream(path),
          target(url, dataDir, adopted, secret === SECRET_OF_SERVER ? source().secret : secret, sha256),
          silent,
        ),
      ).rejects.toThrow(reason);
      expect([await countAccounts(url), adopted, filesOf(dataDir)]).toEqual([0, [], []]);
    });

    // OPS-79
    it.each<[string, (schema: Schema) => void, RegExp]>([
      [
        'has an SQL statement after the bound of a partition',
        ({ partitions: [part] }) => (part!.bound += '; CREATE TABLE owned (by text)'),
        /does not know/,
      ],
      [
        'has an SQL query in place of a time in the bound of a partition',
        ({ partitions: [part] }) => (part!.bound = `FOR VALUES FROM ((SELECT now())) TO ('2099-01-01 00:00:00+00')`),
        /does not know/,
      ],
      [
        'has an invalid time in the bound of a partition',
        ({ partitions: [part] }) =>
          (part!.bound = `FOR VALUES FROM ('2026-99-99 00:00:00+00') TO ('2099-01-01 00:00:00+00')`),
        /does not know/,
      ],
      [
        'has a partition whose parent is not a table',
        ({ partitions: [part] }) => (part!.parent = 'owned" (by text); --'),
        /does not know/,
      ],
      [
        'has a partition with an unknown name',
        ({ partitions: [part] }) => (part!.name = 'owned" (by text); --'),
        /does not know/,
      ],
      ['has an unknown table', ({ tables: [table] }) => (table!.name = 'owned'), /no table owned/],
      [
        'has an unknown column',
        ({ tables: [table] }) => (table!.columns = ["id) FROM PROGRAM 'true' --"]),
        /no column/,
      ],
      ['has an unknown sequence', ({ sequences: [sequence] }) => (sequence!.name = 'owned'), /no sequence owned/],
      ['has no list of tables', (schema) => Object.assign(schema, { tables: 'users' }), /cannot be read/],
    ])('%s, although its signature is valid', async (_, tamper, reason) => {
      const path = join(dataDir, 'archive');
      writeFileSync(
        path,
        await rewritten(smallArchive, {
          change: (name, content) => {
            if (name !== 'database/schema.json') return undefined;
            const schema = JSON.parse(content.toString()) as Schema;
            tamper(schema);
            return Buffer.from(JSON.stringify(schema));
          },
        }),
      );
      await expect(restore(createReadStream(path), target(url, dataDir), silent)).rejects.toThrow(reason);
      const owned = await withClient(
        url,
        async (client) => (await client.query(`SELECT 1 FROM pg_class WHERE relname = 'owned'`)).rowCount,
      );
      expect([owned, await countAccounts(url), filesOf(dataDir)]).toEqual([0, 0, []]);
    });

    it('is intact, but the database is in use or has accounts', async () => {
      await expect(
        restore(createReadStream(smallArchive), target(source().databaseUrl, dataDir), silent),
      ).rejects.toThrow(/using this database/);
      const usedDatabase = await migratedDatabase();
      await withClient(usedDatabase, (client) => client.query(ADD_JANA));
      await expect(restore(createReadStream(smallArchive), target(usedDatabase, dataDir), silent)).rejects.toThrow(
        /not empty/,
      );
      expect(await countAccounts(usedDatabase)).toBe(1);
    });
  });

  // OPS-80
  it.each<[string, () => Promise<Buffer>, string | null, RegExp]>([
    [
      'is from an older version and has no signature',
      () => rewritten(smallArchive, { signWith: null }),
      null,
      /older version has no signature/,
    ],
    [
      'is signed and contains its secret',
      async () => readFileSync(smallArchive),
      null,
      /The origin of the backup was not verified/,
    ],
    [
      'is signed and does not contain its secret, but APP_SECRET is set',
      () => rewritten(smallArchive, { change: (name) => (name === 'secret' ? null : undefined) }),
      SECRET_OF_SERVER,
      /^(?!.*origin of the backup)/,
    ],
  ])('is restored when it %s', async (_, bytes, secret, line) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'restored-'));
    const path = join(dataDir, 'archive');
    writeFileSync(path, await bytes());
    const [url, adopted, lines]: [string, string[], string[]] = [await migratedDatabase(), [], []];
    await restore(createReadStream(path), target(url, dataDir, adopted, secret && source().secret), (text) =>
      lines.push(text),
    );
    expect([await countAccounts(url), adopted]).toEqual([1, [source().secret]]);
    expect(filesOf(dataDir)).toHaveLength(1);
    expect(lines.join(' ')).toMatch(line);
    rmSync(dataDir, { recursive: true });
  });

  // OPS-81
  it('leaves no files and no pages of the operator behind if the restore of the backup cannot store the secret', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'refused-'));
    const restoreTarget = target(await migratedDatabase(), dataDir);
    const failWithFullDisk = (): never => {
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    };
    await expect(
      restore(createReadStream(smallArchive), { ...restoreTarget, adoptSecret: failWithFullDisk }, silent),
    ).rejects.toThrow(/ENOSPC/);
    expect([filesOf(dataDir), readdirSync(restoreTarget.pagesFolder)]).toEqual([[], []]);
    rmSync(dataDir, { recursive: true });
  });

  it('removes the temporary folder of a killed backup, and its own temporary folder, even if the database does not answer', async () => {
    const killed = `${OWN_PREFIX.replace(`-${process.pid}-`, '-4194999-')}events-archive-x`;
    mkdirSync(join(tmpdir(), killed));
    const unreachable = { ...source(), databaseUrl: 'postgres://events@127.0.0.1:1/events' };
    await expect(backup(new PassThrough(), unreachable, new Date(), silent)).rejects.toThrow();
    const folders = readdirSync(tmpdir()).filter((name) => name === killed || name.startsWith(`${OWN_PREFIX}events-`));
    expect(folders).toEqual([]);
  });

  // OPS-81
  // With 1,000 bytes, the disk fills up within the first entry of the archive; with 300,000 bytes, in a later entry.
  it.each([1_000, 300_000])(
    'reports a full disk with a one-line error when the disk fills up after %i bytes',
    async (bytes) => {
      const diskFull = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
      let freeBytes = bytes;
      const fullDisk = new Writable({
        write: (part: Buffer, _encoding, done) => {
          freeBytes -= part.length;
          done(freeBytes < 0 ? diskFull : null);
        },
      });
      await expect(backup(fullDisk, source(), new Date(), silent)).rejects.toEqual(
        new OperatorError('The backup cannot be written: ENOSPC: no space left on device, write.'),
      );
    },
  );

  describe('made or restored on the command line', () => {
    /**
     * Runs a command in a process, and kills the process `killAfter` milliseconds after its first connection to the
     * database. Returns the exit code and the output.
     */
    async function cli(
      args: string[],
      env: Record<string, string>,
      killAfter = Infinity,
    ): Promise<{ code: number | null; out: string; err: string }> {
      const { PATH = '' } = process.env;
      const child = spawn(process.execPath, [...CLI, ...args], {
        cwd: ROOT,
        env: { PATH, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const [out, err]: [Buffer[], string[]] = [[], []];
      child.stdout.on('data', (part: Buffer) => out.push(part));
      child.stderr.on('data', (part) => err.push(String(part)));
      const closed = once(child, 'close');
      await withClient(env['DATABASE_URL']!, async (client) => {
        const connectionOfCommand = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'events-${args[0]}'`;
        await waitUntil(
          async () =>
            child.exitCode !== null ||
            child.signalCode !== null ||
            (await client.query(connectionOfCommand)).rowCount !== 0,
        );
      });
      if (killAfter !== Infinity) void pause(killAfter).then(() => child.kill('SIGKILL'));
      const [code] = (await closed) as [number | null];
      return {
        code,
        out: Buffer.concat(out).toString('latin1'),
        err: err.join(''),
      };
    }
    const serverEnv = () => ({
      DATABASE_URL: source().databaseUrl,
      DATA_DIR: server.app.get(Settings).dataDir,
      APP_SECRET: source().secret,
    });
    /** Runs a command in this process. Returns its output and its duration in milliseconds. */
    async function timed(operator: CommandLine, args: string[]) {
      const began = performance.now();
      const result = await operator.run(args);
      return { ...result, durationMs: performance.now() - began };
    }
    async function untilNoOtherSessions(url: string): Promise<void> {
      const others = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`;
      await withClient(url, async (client) => {
        await waitUntil(async () => (await client.query(others)).rowCount === 0);
      });
    }

    it(`is complete, and the only file in the folder, after earlier backups were killed at ${KILLS} random moments`, async () => {
      const backupFolder = mkdtempSync(join(tmpdir(), 'killed-'));
      const operator = CommandLine.forDatabaseOf(server.app.get(Settings));
      const { code, durationMs, stdout } = await timed(operator, ['backup', backupFolder]);
      expect([code, readdirSync(backupFolder).length]).toEqual([0, 1]);
      expect(JSON.parse(stdout)).toMatchObject({
        file: join(backupFolder, readdirSync(backupFolder)[0]!),
        rows: expect.any(Number),
        files: expect.any(Number),
        tables: expect.any(Number),
      });
      rmSync(JSON.parse(stdout).file);
      // Each run is killed at a random moment in another part of the duration of a complete run. The last sixth of the
      // duration is left out.
      for (let i = 0; i < KILLS; i++) {
        await cli(['backup', backupFolder], serverEnv(), (durationMs * (i + Math.random())) / KILLS / 1.2);
        // An archive with its final name exists only if the backup had finished before the process was killed.
        for (const file of readdirSync(backupFolder).filter((name) => name.endsWith('.tar')))
          rmSync(join(backupFolder, file));
      }
      expect((await operator.run(['backup', backupFolder])).code).toBe(0);
      const [file] = readdirSync(backupFolder);
      expect(readdirSync(backupFolder)).toEqual([expect.stringMatching(/^events-\d{8}T\d{6}Z\.tar$/)]);
      const dataDir = mkdtempSync(join(tmpdir(), 'restored-'));
      await restore(createReadStream(join(backupFolder, file!)), target(await migratedDatabase(), dataDir), silent);
      for (const path of [backupFolder, dataDir]) rmSync(path, { recursive: true });
    });

    it(`is restored completely, including the secret, if the restore is killed at ${KILLS} random moments and then repeated`, async () => {
      const accountsOfServer = await countAccounts(source().databaseUrl);
      const first = mkdtempSync(join(tmpdir(), 'restored-'));
      const completeRun = await timed(
        CommandLine.forDatabaseOf({ databaseUrl: await database(), dataDir: first, appSecret: '' }),
        ['restore', folder],
      );
      expect([completeRun.code, completeRun.stderr]).toEqual([0, expect.stringContaining(archive)]);
      rmSync(first, { recursive: true });
      for (let i = 0; i < KILLS; i++) {
        const [url, dataDir] = [await database(), mkdtempSync(join(tmpdir(), 'restored-'))];
        await cli(
          ['restore', folder],
          { DATABASE_URL: url, DATA_DIR: dataDir },
          (completeRun.durationMs * (i + Math.random())) / KILLS / 1.2,
        );
        await untilNoOtherSessions(url);
        const accountsAfterKill = await countAccounts(url);
        const operator = CommandLine.forDatabaseOf({ databaseUrl: url, dataDir, appSecret: '' });
        if (accountsAfterKill === 0) expect((await operator.run(['restore', folder])).code).toBe(0);
        expect(await countAccounts(url)).toBeGreaterThan(5);
        expect(await countAccounts(url)).toBeLessThanOrEqual(accountsOfServer);
        expect(readFileSync(join(dataDir, 'secret'), 'utf8').trim()).toBe(source().secret);
        rmSync(dataDir, { recursive: true });
      }
    });

    it('can be written to a pipe, and is not restored if APP_SECRET is not the secret of the backup', async () => {
      const { code, out, err } = await cli(['backup', '-'], serverEnv());
      expect([code, out.includes('manifest.json'), err.includes('"rows"')]).toEqual([0, true, true]);
      const dataDir = mkdtempSync(join(tmpdir(), 'refused-'));
      const url = await migratedDatabase();
      const appSecret = 'another secret, and long enough';
      const operator = CommandLine.forDatabaseOf({ databaseUrl: url, dataDir, appSecret });
      const refused = await operator.run(['restore', smallArchive]);
      expect([refused.code, refused.stderr]).toEqual([
        1,
        expect.stringContaining('APP_SECRET or the secret in DATA_DIR is not the secret of the backup'),
      ]);
      expect([await countAccounts(url), existsSync(join(dataDir, 'secret'))]).toEqual([0, false]);
      rmSync(dataDir, { recursive: true });
    });
  });
});

interface Schema {
  tables: { name: string; columns: string[] }[];
  partitions: { name: string; parent: string; bound: string }[];
  sequences: { name: string }[];
}

/** The files that a restore stored. */
function filesOf(dataDir: string): string[] {
  const folder = join(dataDir, 'files');
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);
}

/**
 * Returns the archive with changed entries and a new signature. A person who can read the archive could do the same,
 * because the archive contains the secret.
 *
 * @param change returns the new content of an entry, null to delete the entry, or undefined to leave it unchanged
 * @param signWith secret for the signature (by default the secret in the archive), or null for no signature
 */
async function rewritten(
  archive: string,
  {
    change = () => undefined,
    signWith,
  }: { change?: (name: string, content: Buffer) => Buffer | null | undefined; signWith?: string | null } = {},
): Promise<Buffer> {
  const [tar, digest] = [pack(), createHash('sha256')];
  let secret = '';
  const rewrittenBytes = bytesOf(tar);
  for await (const entry of createReadStream(archive).pipe(extract())) {
    const { name } = entry.header;
    const originalContent = await bytesOf(entry);
    if (name === 'secret') secret = originalContent.toString();
    const content = change(name, originalContent) === undefined ? originalContent : change(name, originalContent);
    if (name === 'end.json' || content === null || content === undefined) continue;
    digest.update(`${name} ${content.length}\n`).update(content);
    tar.entry({ name, mode: 0o600 }, content);
  }
  const sha256 = digest.digest('hex');
  const key = Buffer.from(hkdfSync('sha256', signWith ?? secret, '', 'backup-archive', 32));
  const signature = createHmac('sha256', key).update(sha256).digest('hex');
  tar.entry({ name: 'end.json', mode: 0o600 }, JSON.stringify(signWith === null ? { sha256 } : { sha256, signature }));
  tar.finalize();
  return rewrittenBytes;
}

/** The status of an answer, and its body in base64. */
type SentAnswer = readonly [status: number, body: string];

/**
 * Requests lists and resources of the API, and all pictures in their answers. Returns the answers by path, without the
 * refusals of paths of the API.
 */
async function visibleAnswers(request: (path: string) => Promise<SentAnswer>): Promise<Map<string, SentAnswer>> {
  const lists = [
    '/events',
    '/discover/events',
    '/groups/discover',
    '/groups',
    '/posts',
    '/series',
    '/puls/mine',
    '/blocks',
    '/events?relation=confirmed',
  ];
  const answers = new Map<string, SentAnswer>();
  const [requested, media] = [new Set<string>(), new Set<string>()];
  const read = async (path: string): Promise<{ data: Record<string, unknown>[] } | null> => {
    // Several lists contain the same items.
    if (requested.has(path)) return null;
    requested.add(path);
    const answer = await request(`/api/v1${path}`);
    if (answer[0] !== 200) return null;
    const text = Buffer.from(answer[1], 'base64').toString();
    answers.set(`/api/v1${path}`, answer);
    for (const [, file = ''] of text.matchAll(/"http:\/\/127\.0\.0\.1:3000(\/media\/[^"]+)"/g)) media.add(file);
    return JSON.parse(text) as { data: Record<string, unknown>[] };
  };
  await read('/user');
  for (const list of lists) {
    for (const item of (await read(list))?.data ?? []) {
      const base = list.replace(/\?.*/, '');
      await read(`${base.replace('/groups/discover', '/groups')}/${String(item['id'] ?? item['slug'])}`);
      if (typeof item['slug'] === 'string') await read(`${base}/${item['slug']}`);
      if (base.endsWith('/events'))
        for (const below of ['participants', 'comments', 'expenses', 'gallery', 'itinerary', 'tickets'])
          await read(`/events/${String(item['id'])}/${below}`);
      if (base.startsWith('/groups'))
        for (const below of ['members', 'events']) await read(`/groups/${String(item['id'])}/${below}`);
    }
  }
  for (const file of media) answers.set(file, await request(file));
  return answers;
}
