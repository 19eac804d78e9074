import { createReadStream, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { Client } from 'pg';
import { readArchive, type Entry } from '#platform/backup/archive';
import { FolderArchives, keepNewest } from '#platform/backup/archive-places';
import type { BackupSource } from '#platform/backup/backup';
import { BucketArchives, bucketAddress } from '#platform/backup/bucket-archives';
import { Settings } from '#platform/config/settings';
import { Storage } from '#platform/storage/storage';
import { CommandLine } from '#testing/command-line';
import { FakeS3 } from '#testing/fake-s3';
import { picture } from '#testing/media';
import { TestServer } from '#testing/test-server';

const MB = 2 ** 20;
const NAME = /^events-\d{8}T\d{6}Z\.tar$/;
const OLDER = ['events-20200101T000000Z.tar', 'events-20210101T000000Z.tar', 'events-20220101T000000Z.tar'];
const TEXT = 'Podmínky tohoto serveru';

/** OPS-15, OPS-54, OPS-123 to OPS-125 */
describe('backups', () => {
  let server: TestServer;
  let commandLine: CommandLine;
  let s3: FakeS3;
  const service = () => ({ endpoint: s3.endpoint, region: 'us-east-1' });
  let folder: string;

  beforeAll(async () => {
    process.env['AWS_ACCESS_KEY_ID'] ??= 'test';
    process.env['AWS_SECRET_ACCESS_KEY'] ??= 'test';
    server = await TestServer.start();
    commandLine = CommandLine.forDatabaseOf(server.app.get(Settings));
    const jana = await server.person('jana');
    const cover = new Blob([new Uint8Array(await picture('png', { width: 40 }))]);
    const { body } = await jana.api.post('/posts', { title: 'Zápis', body: 'Text', categories: ['evropa'] });
    await jana.api.upload(`/posts/${body.data.slug}/cover`, [['cover', cover]]);
    mkdirSync(join(server.dataDir, 'pages'), { recursive: true });
    writeFileSync(join(server.dataDir, 'pages', 'terms.cs.md'), TEXT);
    s3 = new FakeS3();
    await s3.start();
  });
  afterAll(async () => {
    await s3.stop();
    await server.stop();
  });
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'backups-'));
    s3.objects.clear();
    s3.uploads.clear();
    s3.failure = null;
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** Runs a command that succeeds, and returns the JSON of its output. */
  async function succeed(...args: string[]): Promise<Record<string, unknown>> {
    const { code, stdout, stderr } = await commandLine.run(args, '', { S3_ENDPOINT: s3.endpoint });
    if (code !== 0) throw new Error(stderr);
    return JSON.parse(stdout) as Record<string, unknown>;
  }
  /** Runs a command that fails, and returns the last line of stderr; the lines before it show the progress. */
  async function fail(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await commandLine.run(args, '', { S3_ENDPOINT: s3.endpoint });
    expect([code, stdout]).toEqual([1, '']);
    return stderr.trim().split('\n').at(-1) ?? '';
  }
  function backupSource(pagesFolder = join(server.dataDir, 'pages')): BackupSource {
    const { databaseUrl, appSecret } = server.app.get(Settings);
    return { databaseUrl: databaseUrl!, secret: appSecret, storage: server.app.get(Storage), pagesFolder };
  }
  const countTemporaryDatabases = async () =>
    (await server.sql<{ n: string }>(`SELECT count(*) AS n FROM pg_database WHERE datname LIKE 'events\\_verify%'`))[0]!
      .n;

  describe('that are verified', () => {
    // OPS-123. Each verification deletes the temporary databases of killed processes.
    it('have the same figures as when they were created; a wrong digest is refused, and no temporary database remains, except those that running processes still use', async () => {
      const { file, bytes, ...backupFigures } = await succeed('backup', folder);
      expect(Number(bytes)).toBeGreaterThan(10_000);
      const figures = { ...backupFigures, file, file_bytes: expect.any(Number), missing_files: 0, has_secret: true };
      expect(Number(backupFigures['files'])).toBeGreaterThan(0);
      const [killed, running] = ['events_verify_000000000000', 'events_verify_000000000001'];
      const { databaseUrl } = server.app.get(Settings);
      // The application name of this connection marks the database `running` as still in use.
      const other = new Client({ connectionString: databaseUrl!, application_name: `trial ${running}` });
      await other.connect();
      try {
        for (const name of [killed, running]) await other.query(`CREATE DATABASE ${name}`);
        expect(
          await succeed('backup', 'verify', folder, '--sha256', String(backupFigures['sha256']), '--json'),
        ).toEqual(figures);
        expect(
          (await other.query(`SELECT datname FROM pg_database WHERE datname IN ($1, $2)`, [killed, running])).rows,
        ).toEqual([{ datname: running }]);
      } finally {
        for (const name of [killed, running]) await other.query(`DROP DATABASE IF EXISTS ${name}`);
        await other.end();
      }
      expect(await fail('backup', 'verify', folder, '--sha256', 'a'.repeat(64))).toMatch(/--sha256/);

      expect([await countTemporaryDatabases(), readdirSync(folder).filter((name) => NAME.test(name)).length]).toEqual([
        '0',
        1,
      ]);
      expect((await server.nobody.get('/events')).status).toBe(401);
    }, 240_000);

    it('are refused if a bit is changed in a table, a text of the operator, the manifest or the name of an entry', async () => {
      const file = String((await succeed('backup', folder)).file);
      const intact = readFileSync(file);
      const reasons = /damaged|cut off|list of tables|checksum/;
      for (const changed of ['Zápis', '"migrations"']) {
        writeFileSync(file, withFlippedBit(intact, changed));
        const reason = await fail('backup', 'verify', folder);
        expect([changed, reason]).toEqual([changed, expect.stringMatching(reasons)]);
      }
      // For these changes, the archive is only read, because each verification creates a database.
      for (const changed of [TEXT, 'database/tables/all_posts'])
        await expect(digestOf(Readable.from([withFlippedBit(intact, changed)]))).rejects.toThrow(reasons);
      expect(await countTemporaryDatabases()).toBe('0');
    });

    it('are reported as missing if the folder contains no backup or the file does not exist', async () => {
      expect(await fail('backup', 'verify', folder)).toBe(`There is no backup in ${folder}.`);
      expect(await fail('backup', 'verify', join(folder, 'x.tar'))).toBe(`There is no ${folder}/x.tar.`);
    });
  });

  // OPS-15
  it('are refused with a one-line error if the place is a file, or a path below a file', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, 'x');
    for (const place of [file, join(file, 'folder')])
      expect(await fail('backup', place)).toBe(`The backup cannot be written: ${file} is not a folder.`);
    for (const command of [['backup', 'verify'], ['restore']])
      expect(await fail(...command, join(file, 'folder'))).toBe(`There is no ${join(file, 'folder')}.`);
    expect(readdirSync(folder)).toEqual(['file']);
  });

  // OPS-15
  it('are refused if the place is an empty text', async () => {
    for (const command of [['backup'], ['backup', 'verify'], ['restore']])
      expect(await fail(...command, '')).toBe('The place of a backup must not be empty.');
  });

  // OPS-124
  it('are deleted, oldest first, until only as many remain as --keep allows', async () => {
    for (const name of [...OLDER, 'notes.txt', 'events-2019.tar']) writeFileSync(join(folder, name), 'x');
    for (const keep of ['0', '-1', 'two', '1.5'])
      expect(await fail('backup', folder, `--keep=${keep}`)).toBe('--keep must be a whole number from 1.');
    expect(await fail('backup', '-', '--keep', '2')).toBe('--keep needs a folder or a bucket, not stdout.');
    expect(readdirSync(folder)).toHaveLength(5);
    const { file, removed } = await succeed('backup', folder, '--keep', '2');
    expect(removed).toEqual(OLDER.slice(0, 2).map((name) => join(folder, name)));
    expect(readdirSync(folder).sort()).toEqual(
      ['events-2019.tar', OLDER[2], String(file).slice(folder.length + 1), 'notes.txt'].sort(),
    );
    // A backup that fails removes nothing.
    rmSync(String(file));
    const failingBackup = commandLine.run(['backup', folder, '--keep', '1'], '', {
      STORAGE: 's3',
      S3_BUCKET: 'x',
      S3_ENDPOINT: 'http://127.0.0.1:1',
    });
    expect(await failingBackup).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^Files cannot [^\n]*ECONNREFUSED[^\n]*\n$/),
    });
    expect(readdirSync(folder)).toContain(OLDER[2]);
  });

  // OPS-124
  it('are deleted without an error if two commands delete them at the same time', async () => {
    for (const name of OLDER) writeFileSync(join(folder, name), 'x');
    const archives = new FolderArchives(folder);
    await Promise.all([keepNewest(archives, 1), keepNewest(archives, 1)]);
    expect(readdirSync(folder)).toEqual([OLDER[2]]);
  });

  // OPS-54
  it('are refused without DATABASE_URL if the data folder contains no database, and older archives stay', async () => {
    for (const name of OLDER) writeFileSync(join(folder, name), '');
    const dataDir = join(folder, 'new');
    const { code, stderr } = await commandLine.run(['backup', folder, '--keep', '1'], '', {
      DATABASE_URL: '',
      DATA_DIR: dataDir,
    });
    expect([code, stderr.trim()]).toEqual([1, `DATABASE_URL is not set, and ${dataDir} contains no database.`]);
    expect(readdirSync(folder).sort()).toEqual(OLDER);
  });

  // OPS-54
  it('get different file names if several backups begin in the same second', async () => {
    const archives = new FolderArchives(folder);
    const now = new Date('2026-01-01T00:00:00.500Z');
    const written = await Promise.all([1, 2, 3].map(() => archives.backup(backupSource(), now, () => undefined)));
    expect(readdirSync(folder).sort()).toEqual(
      ['000000', '000001', '000002'].map((time) => `events-20260101T${time}Z.tar`),
    );
    for (const { file, sha256 } of written) expect(await digestOf(createReadStream(file))).toBe(sha256);
  });

  // OPS-125
  describe('in a bucket', () => {
    it('are written, verified, restored and deleted as in a folder', async () => {
      for (const name of OLDER) s3.objects.set(`nightly/${name}`, object('x'));
      s3.objects.set(OLDER[0]!, object('x'));
      const { file, removed } = await succeed('backup', 's3://backups/nightly', '--keep', '2');
      expect(file).toMatch(/^s3:\/\/backups\/nightly\/events-\d{8}T\d{6}Z-[0-9a-f]{8}\.tar$/);
      expect(removed).toEqual(OLDER.slice(0, 2).map((name) => `s3://backups/nightly/${name}`));
      const key = String(file).slice('s3://backups/'.length);
      expect([...s3.objects.keys()].sort()).toEqual([OLDER[0], `nightly/${OLDER[2]}`, key].sort());
      expect(await succeed('backup', 'verify', 's3://backups/nightly/')).toMatchObject({ file, missing_files: 0 });

      const other = await CommandLine.open();
      const restored = await other.run(['restore', 's3://backups/nightly'], '', { S3_ENDPOINT: s3.endpoint });
      expect([restored.code, restored.stderr.split('\n')[0]]).toEqual([0, file]);
      expect(readFileSync(join(other.dataDir, 'pages', 'terms.cs.md'), 'utf8')).toBe(TEXT);
      expect(await other.answer('user', 'list')).toEqual(await commandLine.answer('user', 'list'));
      await other.close();
    });

    it('get different names if several backups begin in the same second', async () => {
      const archives = await BucketArchives.open(bucketAddress('s3://backups/a')!, service());
      const now = new Date('2026-01-01T00:00:00.500Z');
      const written = await Promise.all([1, 2].map(() => archives.backup(backupSource(), now, () => undefined)));
      expect(await archives.names()).toHaveLength(2);
      for (const { file, sha256 } of written) {
        const { bytes } = s3.objects.get(file.slice('s3://backups/'.length))!;
        expect(await digestOf(Readable.from([bytes]))).toBe(sha256);
      }
    });

    it('are refused with a one-line error if the address is invalid, the archive is missing, or the bucket fails', async () => {
      expect(await fail('backup', 's3://B')).toBe(
        's3://B is not the address of a bucket. An address is like s3://bucket/prefix.',
      );
      expect(await fail('backup', `s3://backups/${OLDER[0]}`)).toBe(
        `The place of a backup must not contain the name of an archive: ${OLDER[0]}.`,
      );
      expect(await fail('backup', 'verify', 's3://backups')).toBe('There is no backup in s3://backups/.');
      expect(await fail('restore', `s3://backups/${OLDER[0]}`)).toBe(`There is no s3://backups/${OLDER[0]}.`);
      s3.objects.set(`nightly/${OLDER[0]}`, object('x'.repeat(MB)));
      s3.cutAfter = 1000;
      expect(await fail('backup', 'verify', 's3://backups/nightly')).toMatch(
        /^(The bucket backups cannot be used|This is not a backup)/,
      );
      s3.cutAfter = null;
      s3.failure = 403;
      for (const command of [['backup'], ['backup', 'verify'], ['restore']])
        expect(await fail(...command, 's3://backups/nightly')).toMatch(
          /^The bucket backups cannot be used: .+ \(403\)\.$/,
        );
    });

    it('exist completely or not at all; a later backup deletes the parts of backups that were killed', async () => {
      // The operator's text is larger than one part of a multipart upload.
      const pagesFolder = join(folder, 'pages');
      mkdirSync(pagesFolder);
      writeFileSync(join(pagesFolder, 'help.en.md'), 'x'.repeat(11 * MB));
      const source = backupSource(pagesFolder);
      const archives = await BucketArchives.open(bucketAddress('s3://backups/a/b')!, service(), 5 * MB);
      const backup = (storage = source.storage) =>
        archives.backup({ ...source, storage }, new Date('2026-01-01T00:00:00Z'), () => undefined);

      s3.failsPart = (number) => number === 2;
      await expect(backup()).rejects.toThrow(/^The bucket backups cannot be used: .* \(503\)\.$/);
      expect([s3.objects.size, s3.uploads.size]).toEqual([0, 0]);

      s3.failsPart = () => false;
      const broken = Object.assign(Object.create(source.storage) as Storage, {
        size: () => Promise.reject(new Error('the disk is broken')),
      });
      await expect(backup(broken)).rejects.toThrow('the disk is broken');
      expect([s3.objects.size, s3.uploads.size]).toEqual([0, 0]);

      // Incomplete uploads of two killed backups, of a backup that may be in progress, and of another program. The list
      // is sorted by id, so `old-2` is on its second page.
      const incompleteUpload = { contentType: '', parts: new Map() };
      s3.uploads.set('old', {
        ...incompleteUpload,
        name: 'a/b/events-20250101T000000Z.tar',
        initiated: new Date('2025-01-01'),
      });
      s3.uploads.set('old-2', {
        ...incompleteUpload,
        name: 'a/b/events-20250102T000000Z.tar',
        initiated: new Date('2025-01-02'),
      });
      s3.uploads.set('new', {
        ...incompleteUpload,
        name: 'a/b/events-20251231T230000Z.tar',
        initiated: new Date('2025-12-31T23:00Z'),
      });
      s3.uploads.set('else', { ...incompleteUpload, name: 'a/b/else.tar', initiated: new Date('2025-01-01') });
      const { file, bytes } = await backup();
      expect(file).toMatch(/^s3:\/\/backups\/a\/b\/events-20260101T000000Z-/);
      expect(s3.objects.get(file.slice('s3://backups/'.length))!.bytes.length).toBe(bytes);
      expect([...s3.uploads.keys()]).toEqual(['new', 'else']);
    });
  });
});

/** Reads the whole archive, and returns its digest. */
async function digestOf(archive: Readable): Promise<string> {
  const handlers = { manifest: async () => undefined, entry: ({ content }: Entry) => finished(content.resume()) };
  return (await readArchive(archive, handlers)).sha256;
}

/** Copies the bytes, and changes one bit of the first occurrence of the text. */
function withFlippedBit(bytes: Buffer, text: string): Buffer {
  const [copy, at] = [Buffer.from(bytes), bytes.indexOf(text)];
  if (at < 0) throw new Error(`the archive has no ${text}`);
  copy[at]! ^= 1;
  return copy;
}

function object(text: string) {
  return { bytes: Buffer.from(text), contentType: '', modifiedAt: new Date() };
}
