import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { OperatorError } from '../config/operator-error';
import { migrate } from '../database/migrations';
import { ServerClient } from '../database/server-client';
import { onTrialDatabase } from '../database/trial-database';
import { filesOf } from '../storage/media-key';
import { Storage, type ListedFile } from '../storage/storage';
import type { BackupContents } from './backup';
import { tableNames } from './database-copy';
import { restore, type RestoreTarget } from './restore';
import { makeWorkFolder } from './work-folder';

/** The result of a successful verification. */
export interface VerifiedBackup extends BackupContents {
  /** Bytes of the stored files. */
  readonly fileBytes: number;
  /**
   * Number of files that the archive does not contain although rows of `media_files` name them. These files were
   * already missing when the backup was made.
   */
  readonly missingFiles: number;
  readonly hasSecret: boolean;
}

/**
 * Restores the archive into a temporary database, compares the number of rows with the archive, counts missing files,
 * and applies the migrations of this version. Then drops the temporary database.
 *
 * @throws OperatorError or StartupError with the reason in one line, if the archive cannot be restored
 */
export async function verifyBackup(
  source: Readable,
  { databaseUrl, secret, sha256 }: Pick<RestoreTarget, 'databaseUrl' | 'secret' | 'sha256'>,
  progress: (line: string) => void,
): Promise<VerifiedBackup> {
  const folder = await makeWorkFolder();
  const storage = new DiscardedFiles();
  let hasSecret = false;
  try {
    return await onTrialDatabase(
      databaseUrl,
      { name: 'events_verify', errorBeginning: 'The backup is restored into' },
      async (url) => {
        const target = {
          databaseUrl: url,
          storage,
          pagesFolder: join(folder, 'pages'),
          secret,
          adoptSecret: () => undefined,
          sha256,
          foundSecret: () => void (hasSecret = true),
        };
        const contents = await restore(source, target, progress);
        const missingFiles = await compareWithArchive(url, contents.rows, storage);
        await migrate(url);
        return { ...contents, fileBytes: storage.bytes, missingFiles, hasSecret };
      },
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Throws an OperatorError if the restored database does not have as many rows as the archive. Returns the number of
 * files that the database names but the archive lacks.
 */
async function compareWithArchive(url: string, rows: number, storage: DiscardedFiles): Promise<number> {
  const client = new ServerClient({ connectionString: url, application_name: 'events-verify' });
  await client.connect();
  try {
    let found = 0;
    for (const name of await tableNames(client)) {
      const { rows: counts } = await client.query<{ n: string }>(`SELECT count(*) AS n FROM ${name}`);
      found += Number(counts[0]?.n);
    }
    if (found !== rows)
      throw new OperatorError(
        `The backup is damaged: it contains ${rows} rows, but the restored database contains ${found}.`,
      );
    const storedFiles = await client.query<{ key: string }>(`SELECT key FROM media_files WHERE state = 'kept'`);
    return storedFiles.rows.flatMap(({ key }) => filesOf(key)).filter((name) => !storage.has(name)).length;
  } finally {
    await client.end();
  }
}

/** A storage that records only the names and sizes of files. */
class DiscardedFiles extends Storage {
  private readonly sizes = new Map<string, number>();

  get bytes(): number {
    return [...this.sizes.values()].reduce((sum, size) => sum + size, 0);
  }

  has(name: string): boolean {
    return this.sizes.has(name);
  }

  async write(name: string, path: string): Promise<void> {
    this.sizes.set(name, (await stat(path)).size);
  }

  async size(name: string): Promise<number | null> {
    return this.sizes.get(name) ?? null;
  }

  async read(): Promise<Readable | null> {
    return null;
  }

  async remove(name: string): Promise<void> {
    this.sizes.delete(name);
  }

  async *list(): AsyncIterable<ListedFile> {
    // Nothing is listed, because the files are not stored.
  }
}
