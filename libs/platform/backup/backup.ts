import { randomBytes } from 'node:crypto';
import { link, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import type { Client } from 'pg';
import { makeFolder } from '../config/data-folder';
import { OperatorError } from '../config/operator-error';
import { OPERATOR_FILES } from '../config/operator-pages';
import { ServerClient } from '../database/server-client';
import { refuseOtherSecret } from '../installation/installation';
import { OWN_PREFIX, ownerIsDead } from '../workers/work-owner';
import { filesOf } from '../storage/media-key';
import type { Storage } from '../storage/storage';
import { ArchiveWriter } from './archive';
import { dumpDatabase } from './database-copy';
import { makeWorkFolder } from './work-folder';

/** The installation that is backed up. */
export interface BackupSource {
  /** The URL of a migrated database. */
  readonly databaseUrl: string;
  readonly storage: Storage;
  readonly secret: string;
  /** The folder with the operator's texts. It may be missing. */
  readonly pagesFolder: string;
  /**
   * If true, the archive does not contain the secret. The secret is needed to decrypt values in the archive, and to
   * sign archives. So a person who has only the archive cannot decrypt these values, and cannot sign an archive.
   */
  readonly withoutSecret?: boolean;
}

/** The numbers of rows, tables and files in an archive, and the digest of the archive. */
export interface BackupContents {
  readonly rows: number;
  readonly tables: number;
  readonly files: number;
  /** For `restore --sha256`. */
  readonly sha256: string;
}

/** The names in the archive: the secret, the folder with the operator's texts, and the folder with the stored files. */
export const SECRET = 'secret';
export const PAGES = 'pages/';
export const FILES = 'files/';
/**
 * Maximum number of snapshots. A running server deletes files when no row refers to them any more. If a file of the
 * snapshot was deleted before it was copied, the backup takes a new snapshot.
 */
const MAX_SNAPSHOTS = 10;

/** The name of the archive for a backup that began at this time. `suffix` makes the name unique within a second. */
export function archiveName(now: Date, suffix = ''): string {
  return `events-${now.toISOString().replace(/[-:]|\.\d+/g, '')}${suffix}.tar`;
}

/**
 * Age in milliseconds from which unfinished archives are deleted, because no backup takes this long. In a folder, a
 * younger unfinished archive is also deleted if the process that began it has ended.
 */
export const UNFINISHED_AFTER_MS = 86_400_000;
/** Matches the names of unfinished archives. Up to version 0.2.0 the name was `.events-backup.part`. */
const UNFINISHED = /^(?:work-.*-backup|\.events-backup)\.part$/;

/**
 * Writes an archive into `folder`. Only the owner of the archive can read it. The archive gets the name
 * `events-<time>.tar` when it is complete and synced. Other backups may write into the same folder: if the name is
 * taken, the archive gets the name of the next free second. Unfinished archives of killed processes are deleted.
 */
export async function backupInto(
  folder: string,
  source: BackupSource,
  now: Date,
  progress: (line: string) => void,
): Promise<BackupContents & { file: string; bytes: number }> {
  try {
    makeFolder(folder);
  } catch (error) {
    throw new OperatorError(`The backup cannot be written: ${(error as Error).message}.`);
  }
  const draft = join(folder, `${OWN_PREFIX}${randomBytes(6).toString('hex')}-backup.part`);
  await removeUnfinished(folder, new Date(now.getTime() - UNFINISHED_AFTER_MS));
  try {
    const contents = await backup(createWriteStream(draft, { mode: 0o600, flush: true }), source, now, progress);
    const file = await giveName(draft, folder, now);
    const parent = await open(folder);
    await parent.sync().finally(() => parent.close());
    const handle = await open(file);
    const { size } = await handle.stat().finally(() => handle.close());
    return { file, bytes: size, ...contents };
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** Gives a complete archive its name, without replacing another archive. */
async function giveName(draft: string, folder: string, now: Date): Promise<string> {
  for (let at = now; ; at = new Date(at.getTime() + 1000)) {
    const file = join(folder, archiveName(at));
    // A hard link never replaces a file. Some file systems of external disks have no hard links; there the draft is
    // renamed if no file has the name.
    const failure = await link(draft, file).then(
      () => null,
      ({ code }: NodeJS.ErrnoException) => code,
    );
    if (failure === null) {
      await rm(draft);
      return file;
    }
    if (failure === 'EEXIST' || (await stat(file).catch(() => null))) continue;
    await rename(draft, file);
    return file;
  }
}

async function removeUnfinished(folder: string, before: Date): Promise<void> {
  for (const name of (await readdir(folder)).filter((one) => UNFINISHED.test(one))) {
    const found = await stat(join(folder, name)).catch(() => null);
    if (ownerIsDead(name) || (found && found.mtime < before)) await rm(join(folder, name), { force: true });
  }
}

/** Error codes of a disk. EPIPE means that the process that reads the archive has ended. */
const NOT_WRITABLE = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS', 'EACCES', 'EPERM', 'EIO', 'EPIPE']);

/** Returns an OperatorError for an error with a code of NOT_WRITABLE. Returns other errors unchanged. */
export function diskError(failure: string, error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  return code !== undefined && NOT_WRITABLE.has(code) ? new OperatorError(`${failure}: ${message}.`) : error;
}

/**
 * Copies the secret (unless `withoutSecret` is set), the operator's texts, and the rows of one snapshot of the database
 * with the files to which these rows refer. Servers may run during the backup.
 *
 * @throws StartupError if the secret is not the secret of the database. No server could start from such a backup.
 */
export async function backup(
  target: Writable,
  { databaseUrl, storage, secret, pagesFolder, withoutSecret = false }: BackupSource,
  now: Date,
  progress: (line: string) => void,
): Promise<BackupContents> {
  const client = new ServerClient({
    connectionString: databaseUrl,
    application_name: 'events-backup',
    options: '-c TimeZone=UTC',
  });
  const workFolder = await makeWorkFolder();
  try {
    await client.connect();
    await refuseOtherSecret(client, secret);
    const { rows: migrations } = await client.query<{ name: string }>('SELECT name FROM migrations ORDER BY id');
    const archive = await ArchiveWriter.begin(target, {
      migrations: migrations.map(({ name }) => name),
      createdAt: now.toISOString(),
    });
    if (!withoutSecret) await archive.addText(SECRET, secret);
    await addPages(archive, pagesFolder);
    const files = new FileCopies(archive, storage, progress);
    // Most files are copied before the snapshot is opened. The snapshot is open as briefly as possible, because
    // PostgreSQL keeps old versions of rows while a snapshot is open.
    await files.add(await keptKeys(client));
    await snapshotWithFiles(client, files);
    // `secret rotate` may have replaced the secret since the first check. The rows of the snapshot can be decrypted
    // only with the secret that was valid at the time of the snapshot.
    await refuseOtherSecret(client, secret);
    const rowCounts = await dumpDatabase(client, archive, workFolder, progress);
    await client.query('COMMIT');
    const sha256 = await archive.end(secret);
    return {
      rows: Object.values(rowCounts).reduce((sum, count) => sum + count, 0),
      tables: Object.keys(rowCounts).length,
      files: files.count,
      sha256,
    };
  } catch (error) {
    throw diskError('The backup cannot be written', error);
  } finally {
    await client.end();
    await rm(workFolder, { recursive: true, force: true });
  }
}

async function addPages(archive: ArchiveWriter, folder: string): Promise<void> {
  for (const name of OPERATOR_FILES) {
    const content = await readFile(join(folder, name), 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
      throw error;
    });
    if (content !== null) await archive.addText(PAGES + name, content);
  }
}

/** Opens a snapshot in `client`, and copies the files that its rows refer to into the archive. */
async function snapshotWithFiles(client: Client, files: FileCopies): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const missing = await files.add(await keptKeys(client));
    if (missing.length === 0) return;
    // If a missing file was deleted a moment ago, a new snapshot does not refer to it. If a file has been missing for a
    // long time, no backup can contain it.
    if (attempt === MAX_SNAPSHOTS) return;
    await client.query('ROLLBACK');
  }
}

/** The keys of the media that are marked as kept (media/media-files.ts): rows of other tables refer to them. */
async function keptKeys(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ key: string }>(`SELECT key FROM media_files WHERE state = 'kept' ORDER BY key`);
  return rows.map(({ key }) => key);
}

/** Copies stored files into the archive. Each file is copied once. */
class FileCopies {
  private readonly copied = new Set<string>();

  constructor(
    private readonly archive: ArchiveWriter,
    private readonly storage: Storage,
    private readonly progress: (line: string) => void,
  ) {}

  get count(): number {
    return this.copied.size;
  }

  /** @returns the files that do not exist */
  async add(keys: readonly string[]): Promise<readonly string[]> {
    const missing: string[] = [];
    for (const name of keys.flatMap(filesOf)) {
      if (this.copied.has(name)) continue;
      const size = await this.storage.size(name);
      const content = size === null ? null : await this.storage.read(name);
      if (size === null || content === null) missing.push(name);
      else {
        await this.archive.add(`${FILES}${name}`, size, content);
        this.copied.add(name);
        if (this.copied.size % 100 === 0) this.progress(`${this.copied.size} files`);
      }
    }
    return missing;
  }
}
