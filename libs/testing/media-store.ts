import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { Database, statement } from '#platform/database/database';
import type { JobResult } from '#platform/jobs/job';
import { MediaFiles, type Stored } from '#platform/media/media-files';
import { MediaSweepJob } from '#platform/media/media-sweep.job';
import type { MediaKey } from '#platform/storage/media-key';
import { Scratch } from '#platform/media/scratch';
import { LocalStorage } from '#platform/storage/local-storage';
import { Clock } from '#platform/time/clock';
import { MediaFiles0002 } from '#migrations/0002-media-files';

const EXISTS = `SELECT to_regclass('media_files') IS NOT NULL AS exists`;
const ADD_ALBUM = statement('test_albums_add', 'INSERT INTO albums (key) SELECT unnest($1::text[])');
const DELETE_ALBUM = statement('test_albums_delete', 'DELETE FROM albums WHERE key = ANY($1)');
const ALBUMS = statement('test_albums', 'SELECT key FROM albums ORDER BY key');
const ROWS = statement('test_media_files', 'SELECT key, state FROM media_files ORDER BY key');

interface Draft {
  readonly extension: 'jpg';
  readonly path: string;
  readonly thumbPath: string;
}

/**
 * A storage that calls `interrupt` before each write and each removal. `nth` is the number of the step, counted from 1.
 * Writes and removals are counted separately.
 */
class InterruptedStorage extends LocalStorage {
  interrupt: (step: 'write' | 'remove', nth: number) => void = () => undefined;
  private counted = { write: 0, remove: 0 };

  override async write(name: string, path: string): Promise<void> {
    this.interrupt('write', ++this.counted.write);
    await super.write(name, path);
  }

  override async remove(name: string): Promise<void> {
    this.interrupt('remove', ++this.counted.remove);
    await super.remove(name);
  }

  reset(): void {
    this.interrupt = () => undefined;
    this.counted = { write: 0, remove: 0 };
  }
}

/** Media files in a real folder and database. The rows of the test table `albums` refer to the files. */
export class MediaStore {
  readonly storage: InterruptedStorage;
  readonly scratch: Scratch;
  readonly files: MediaFiles;
  private readonly sweepJob: MediaSweepJob;

  private constructor(
    private readonly dataSource: DataSource,
    readonly database: Database,
    private readonly dataDir: string,
  ) {
    this.storage = new InterruptedStorage(join(dataDir, 'files'));
    this.scratch = new Scratch(join(dataDir, 'tmp'));
    this.files = new MediaFiles(database, this.storage, new Clock());
    this.sweepJob = new MediaSweepJob(database, this.storage, this.files, this.scratch);
  }

  static async open(url: string, dataDir: string): Promise<MediaStore> {
    const dataSource = await new DataSource({
      type: 'postgres',
      url,
      entities: [],
      migrations: [MediaFiles0002],
    }).initialize();
    const [{ exists }] = await dataSource.query<[{ exists: boolean }]>(EXISTS);
    if (!exists) await dataSource.runMigrations();
    await dataSource.query('CREATE TABLE IF NOT EXISTS albums (key text PRIMARY KEY REFERENCES media_files (key))');
    return new MediaStore(dataSource, new Database(dataSource), dataDir);
  }

  /** Runs the job `media-sweep` with `now` as the current time. */
  sweep(now: Date, { signal } = new AbortController()): Promise<JobResult> {
    return this.sweepJob.run({ now, signal });
  }

  async close(): Promise<void> {
    await this.dataSource.destroy();
  }

  /** Pictures of a few bytes that are ready to be stored. */
  async drafts(count: number): Promise<Draft[]> {
    const path = join(this.dataDir, 'draft');
    const thumbPath = join(this.dataDir, 'draft-thumb');
    await writeFile(path, 'picture');
    await writeFile(thumbPath, 'thumb');
    return Array<Draft>(count).fill({ extension: 'jpg', path, thumbPath });
  }

  /** Stores `count` pictures and creates an album for each; `interrupt` runs at the end of the transaction. */
  async addAlbums(count: number, interrupt: () => void = () => undefined): Promise<MediaKey[]> {
    return this.files.withStored(await this.drafts(count), async (stored: Stored<Draft>[]) => {
      const keys = stored.map(({ key }) => key);
      await this.database.transaction(async (tx) => {
        await this.files.keep(tx, keys);
        await tx.rows(ADD_ALBUM, [keys]);
        interrupt();
      });
      return keys;
    });
  }

  async deleteAlbums(keys: readonly MediaKey[], interrupt: () => void = () => undefined): Promise<void> {
    await this.database.transaction(async (tx) => {
      await tx.rows(DELETE_ALBUM, [keys]);
      await this.files.markForDeletion(tx, keys);
      interrupt();
    });
  }

  /** All stored data: keys of albums, rows with their states, names of files. */
  async everything(): Promise<{ albums: string[]; rows: string[]; files: string[] }> {
    const albums = await this.database.rows<{ key: string }>(ALBUMS);
    const rows = await this.database.rows<{ key: string; state: string }>(ROWS);
    const files: string[] = [];
    for await (const { name } of this.storage.list()) files.push(name);
    return {
      albums: albums.map(({ key }) => key),
      rows: rows.map(({ key, state }) => `${key} ${state}`),
      files: files.sort(),
    };
  }
}
