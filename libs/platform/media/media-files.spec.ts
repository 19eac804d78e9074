import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { MediaStore } from '#testing/media-store';
import { createTestDatabase } from '#testing/test-database';
import { statement } from '../database/database';
import { runDetached } from '../database/one-connection';
import { filesOf, keyOf, newMediaKey } from '../storage/media-key';

const NOTHING_TO_DO = { abandoned: 0, removed: 0, orphans: 0, scratch: 0 };
const OPEN_TRANSACTIONS = statement(
  'test_open_transactions',
  `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'`,
);
const HOUR = 3_600_000;
const later = (ms: number) => new Date(Date.now() + ms);

// WIRE-48. An album is a row of a table of this test. It refers to a stored picture, like a post to its cover.
describe('media files with their rows', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let dataDir: string;
  let store: MediaStore;

  beforeAll(async () => {
    // The tests cause failures on purpose, so the log lines of the failures are suppressed.
    Logger.overrideLogger(false);
    database = await createTestDatabase();
    dataDir = await mkdtemp(join(tmpdir(), 'media-'));
    store = await MediaStore.open(database.url, dataDir);
  });
  beforeEach(() => store.storage.reset());
  afterEach(async () => {
    store.storage.reset();
    const { albums } = await store.everything();
    await store.deleteAlbums(albums);
    await store.sweep(later(2 * HOUR));
    expect(await store.everything()).toEqual({ albums: [], rows: [], files: [] });
  });
  afterAll(async () => {
    await store?.close();
    await database?.drop();
    await rm(dataDir, { recursive: true });
  });

  const failAt = (step: string) => {
    store.storage.interrupt = (kind, nth) => {
      if (`${kind} ${nth}` === step) throw new Error('disk full');
    };
  };

  /** Checks that every album has its row and its files, and that there are no other rows or files. */
  const expectAgreement = async () => {
    const { albums, rows, files } = await store.everything();
    expect(rows).toEqual(albums.map((key) => `${key} kept`));
    expect(files).toEqual(albums.flatMap((key) => [...filesOf(key)]).sort());
  };

  it('remain if the transaction has marked them as kept', async () => {
    const keys = await store.addAlbums(2);
    expect((await store.everything()).albums).toEqual([...keys].sort());
    await expectAgreement();
    expect(await store.sweep(later(2 * HOUR))).toEqual(NOTHING_TO_DO);
    await expectAgreement();
  });

  it('are deleted after the commit of the transaction that has removed the references to them', async () => {
    const [first = '', second = ''] = await store.addAlbums(2);
    await store.deleteAlbums([first]);
    expect((await store.everything()).albums).toEqual([second]);
    await expectAgreement();
  });

  it('are deleted if the transaction fails', async () => {
    await expect(
      store.addAlbums(2, () => {
        throw new Error('refused');
      }),
    ).rejects.toThrow('refused');
    expect(await store.everything()).toEqual({ albums: [], rows: [], files: [] });
  });

  it('remain if the transaction that removes the references to them is rolled back', async () => {
    const keys = await store.addAlbums(1);
    await expect(
      store.deleteAlbums(keys, () => {
        throw new Error('refused');
      }),
    ).rejects.toThrow('refused');
    expect((await store.everything()).albums).toEqual(keys);
    await expectAgreement();
  });

  it.each(['write 1', 'write 2', 'write 3', 'write 4'])(
    'are all deleted, with their rows, if the storage fails at %s',
    async (step) => {
      failAt(step);
      await expect(store.addAlbums(2)).rejects.toThrow('disk full');
      expect(await store.everything()).toEqual({ albums: [], rows: [], files: [] });
    },
  );

  it('are deleted by the sweep if an earlier deletion failed', async () => {
    const keys = await store.addAlbums(1);
    failAt('remove 1');
    await store.deleteAlbums(keys);
    expect((await store.everything()).files).toHaveLength(2);
    store.storage.reset();
    expect(await store.sweep(new Date())).toEqual(NOTHING_TO_DO);
    expect(await store.sweep(later(2 * HOUR))).toEqual({ ...NOTHING_TO_DO, orphans: 2 });
    await expectAgreement();
  });

  it('are never deleted after they were marked as kept, even if the connection is lost after the commit', async () => {
    let keys: string[] = [];
    const uncertain = store.files.withStored(await store.drafts(1), async (stored) => {
      keys = stored.map(({ key }) => key);
      await store.database.transaction((tx) => store.files.keep(tx, keys));
      throw new Error('connection lost');
    });
    await expect(uncertain).rejects.toThrow('connection lost');
    expect(await store.everything()).toEqual({
      albums: [],
      rows: [`${keys[0]} kept`],
      files: [...filesOf(keys[0] ?? '')].sort(),
    });
    await store.database.transaction((tx) => store.files.markForDeletion(tx, keys));
  });

  it('cannot be kept after the sweep has deleted them', async () => {
    const [draft] = await store.drafts(1);
    const key = await store.files.store(draft!);
    expect(await store.sweep(later(2 * HOUR))).toEqual({ ...NOTHING_TO_DO, abandoned: 1, removed: 1 });
    await expect(store.database.transaction((tx) => store.files.keep(tx, [key]))).rejects.toThrow('swept');
  });

  it('are not deleted by the sweep while they are being stored', async () => {
    const [draft] = await store.drafts(1);
    const key = await store.files.store(draft!);
    expect(await store.sweep(later(HOUR / 2))).toEqual(NOTHING_TO_DO);
    await store.database.transaction(async (tx) => {
      await store.files.keep(tx, [key]);
      // The sweep is a job with a separate connection.
      expect(await runDetached(() => store.sweep(later(2 * HOUR)))).toEqual(NOTHING_TO_DO);
    });
    expect((await store.everything()).rows).toEqual([`${key} kept`]);
    await store.database.transaction((tx) => store.files.markForDeletion(tx, [key]));
  });

  it('are never deleted while an object refers to them, even if they were marked for deletion by mistake', async () => {
    const keys = await store.addAlbums(1);
    await store.database.transaction((tx) => store.files.markForDeletion(tx, keys));
    await store.sweep(later(2 * HOUR));
    expect((await store.everything()).files).toEqual([...filesOf(keys[0] ?? '')].sort());
  });

  it('are deleted by the sweep if they are old and have no row; new files and files of other programs remain', async () => {
    const key = newMediaKey('mp4');
    const folder = join(dataDir, 'files', key.slice(0, 2));
    await mkdir(folder, { recursive: true });
    const old = new Date(Date.now() - 2 * HOUR);
    for (const name of [...filesOf(key), `${key}.0a1b2c.part`, 'notes.txt']) {
      await writeFile(join(folder, name), 'x');
      await utimes(join(folder, name), old, old);
    }
    const newKey = newMediaKey('jpg');
    await writeFile(join(folder, newKey), 'x');
    expect(await store.sweep(new Date())).toEqual({ ...NOTHING_TO_DO, orphans: 3 });
    expect((await readdir(folder)).sort()).toEqual([newKey, 'notes.txt'].sort());
    await rm(folder, { recursive: true });
  });

  describe('of 450 interrupted uploads', () => {
    beforeEach(async () => {
      const add = statement(
        'test_many',
        `INSERT INTO media_files (key, kind, bytes, created_at)
        SELECT lpad(to_hex(i), 40, '0') || '.jpg', 'picture', 1, '2020-01-01' FROM generate_series(1, 450) i`,
      );
      await store.database.rows(add);
    });

    it('are deleted by the sweep in batches', async () => {
      expect(await store.sweep(new Date())).toEqual({ ...NOTHING_TO_DO, abandoned: 450, removed: 450 });
    });

    // OPS-121
    it('are deleted until the sweep is aborted; the next sweep deletes the others', async () => {
      const maintenance = new AbortController();
      store.storage.interrupt = () => maintenance.abort(new Error('maintenance'));
      await expect(store.sweep(new Date(), maintenance)).rejects.toThrow('maintenance');
      expect(await store.sweep(new Date())).toEqual({ ...NOTHING_TO_DO, removed: 250 });
    });
  });

  it('agree with the albums after forty random additions, deletions and failures', async () => {
    const steps = ['write 1', 'write 2', 'remove 1', 'remove 2', 'none', 'none', 'none'];
    for (let i = 0; i < 40; i++) {
      store.storage.reset();
      failAt(steps[Math.floor(Math.random() * steps.length)] ?? '');
      const refuse = () => {
        if (Math.random() < 0.2) throw new Error('refused');
      };
      const { albums } = await store.everything();
      const removedAlbum = albums[Math.floor(Math.random() * albums.length)];
      if (removedAlbum && Math.random() < 0.45) await store.deleteAlbums([removedAlbum], refuse).catch(() => undefined);
      else await store.addAlbums(1, refuse).catch(() => undefined);
    }
    store.storage.reset();
    await store.sweep(later(2 * HOUR));
    await expectAgreement();
    expect(await store.sweep(later(2 * HOUR))).toEqual(NOTHING_TO_DO);
  });

  /**
   * Adding a picture writes 2 files, and removing a picture deletes 2 files. The process is killed at one of these
   * moments: during the upload, before the second write and the second removal, in the middle of a file, and before each
   * of the two commits. The tests above contain failures of the first write and of the first removal.
   */
  const MOMENTS = ['upload', 'write 2', 'half a file', 'before commit', 'before delete commits', 'remove 2'];

  it.each(MOMENTS)('agree with the albums after a kill -9 (moment: %s) and a sweep', async (moment) => {
    const child = spawn(
      process.execPath,
      [
        '--conditions=events-source',
        '--require',
        './libs/testing/register-typescript.cjs',
        'libs/testing/media-crash.ts',
        database.url,
        dataDir,
        moment,
      ],
      {
        cwd: resolve(__dirname, '../../..'),
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    );
    const [, signal] = (await once(child, 'exit')) as [number | null, string | null];
    expect(signal).toBe('SIGKILL');
    // PostgreSQL needs a moment to notice the lost connection and to roll back.
    while ((await store.database.rows(OPEN_TRANSACTIONS)).length > 0) await setTimeout(20);
    for (const [key, state] of (await store.everything()).rows.map((row) => row.split(' '))) {
      if (state !== 'kept') continue;
      const remainingFiles = (await store.everything()).files.filter((file) => keyOf(file) === key);
      expect(remainingFiles).toHaveLength(2);
    }
    const swept = await store.sweep(later(2 * HOUR));
    expect(swept.scratch).toBe(1);
    await expectAgreement();
    expect(await readdir(join(dataDir, 'tmp'))).toEqual([]);
    expect((await store.everything()).albums).toHaveLength(moment === 'before delete commits' ? 1 : 0);
    expect(await store.sweep(later(2 * HOUR))).toEqual(NOTHING_TO_DO);
  });
});
