import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { Client } from 'pg';
import { OperatorError } from '../config/operator-error';
import { OPERATOR_FILES } from '../config/operator-pages';
import { migrateAs } from '../database/migrations';
import { ServerClient } from '../database/server-client';
import { contentTypeOf } from '../storage/media-key';
import type { Storage } from '../storage/storage';
import { isSignedWith, readArchive, type Entry, type Seal } from './archive';
import { diskError, FILES, PAGES, SECRET, type BackupContents } from './backup';
import { DatabaseLoad } from './database-copy';
import { makeWorkFolder } from './work-folder';

/** The installation to restore into, which must be empty. */
export interface RestoreTarget {
  readonly databaseUrl: string;
  readonly storage: Storage;
  /** The folder for the operator's texts. An existing text is not replaced. */
  readonly pagesFolder: string;
  /** The configured secret, or the secret in DATA_DIR; null if there is none. */
  readonly secret: string | null;
  /**
   * Stores the secret of the backup, if the installation has none. Called after the archive is verified and before the
   * database transaction is committed.
   */
  readonly adoptSecret: (secret: string) => void;
  /** Called if the archive contains the secret. */
  readonly foundSecret?: () => void;
  /**
   * The digest that `backup` has printed and the operator has stored outside the archive; undefined if none was given.
   */
  readonly sha256?: string | undefined;
}

const OTHER_SECRET =
  'APP_SECRET or the secret in DATA_DIR is not the secret of the backup. Set APP_SECRET to the secret of the backup, or, in an installation without accounts, remove both.';
const NOT_EMPTY =
  'The installation is not empty: its database contains accounts. A backup can be restored only into an empty database.';
const IN_USE = 'A server is using this database: stop the server, then restore.';

/**
 * Restores a backup into an empty installation. All rows are loaded in one transaction. The transaction is committed
 * last, after the archive is verified and after the files, the operator's texts and the secret are stored. After an
 * interruption, the same command can be repeated.
 *
 * @throws OperatorError or StartupError with a message of one line, if the installation is in use or is not empty, or
 * if the archive is damaged, was made by a newer version, or does not match the secret or the digest
 */
export async function restore(
  source: Readable,
  target: RestoreTarget,
  progress: (line: string) => void,
): Promise<BackupContents> {
  const { databaseUrl, storage } = target;
  const client = new ServerClient({
    connectionString: databaseUrl,
    application_name: 'events-restore',
    options: '-c TimeZone=UTC',
  });
  const workFolder = await makeWorkFolder();
  const load = new DatabaseLoad(client);
  const [writtenFiles, writtenPages]: [string[], string[]] = [[], []];
  const pages = new Map<string, string>();
  let [tables, files] = [0, 0];
  let secret: string | null = null;
  let isCommitting = false;
  try {
    await client.connect();
    await refuseIfInUseOrNotEmpty(client);
    const seal = await readArchive(source, {
      manifest: async ({ migrations }) => {
        // Creates the tables as in the version that wrote the backup. The next start of the service applies later
        // migrations.
        await migrateAs(databaseUrl, migrations);
        await client.query('BEGIN');
        await client.query('SET LOCAL lock_timeout = 0; SET LOCAL statement_timeout = 0');
      },
      entry: async (entry) => {
        if (entry.name === SECRET) {
          secret = (await text(entry.content)).trim();
          target.foundSecret?.();
          if (target.secret !== null && target.secret !== secret) throw new OperatorError(OTHER_SECRET);
        } else if (isPage(entry.name)) {
          pages.set(entry.name.slice(PAGES.length), await text(entry.content));
        } else if (entry.name.startsWith(FILES)) {
          await putFile(storage, entry, workFolder, writtenFiles);
          if (++files % 100 === 0) progress(`${files} files`);
        } else if (!(await load.loadEntry(entry)))
          throw new OperatorError(`The backup has an entry that this version does not know: ${entry.name}.`);
        else {
          tables++;
          progress(entry.name);
        }
      },
    });
    const verifiedSecret = authenticate(seal, secret, target, progress);
    await load.finish();
    await putPages(target.pagesFolder, pages, writtenPages);
    target.adoptSecret(verifiedSecret);
    isCommitting = true;
    await client.query('COMMIT');
    // `tables` also counts the entry `database/schema.json`.
    return { rows: load.rows, tables: tables - 1, files, sha256: seal.sha256 };
  } catch (error) {
    // Deletes the written files, because no row refers to them. After a failed COMMIT the files are not deleted,
    // because the commit may have succeeded although its response was lost.
    if (!isCommitting) {
      for (const file of writtenFiles) await storage.remove(file).catch(() => undefined);
      for (const page of writtenPages) await rm(page, { force: true }).catch(() => undefined);
    }
    throw diskError('The backup cannot be restored', error);
  } finally {
    await client.end();
    await rm(workFolder, { recursive: true, force: true });
  }
}

/**
 * Verifies the origin of the archive: an installation with the same secret wrote the archive, and nobody has changed it
 * since (docs/adr/0320-signed-backups.md). The signature proves the origin only for an archive without the secret,
 * because everybody who can read the secret in an archive can sign a changed archive. A separately stored digest proves
 * the origin of every archive. Without a digest, an archive with the secret is accepted with a warning to `progress`.
 *
 * @returns the secret of the installation, or of the archive if the installation has none
 */
function authenticate(
  seal: Seal,
  archiveSecret: string | null,
  { secret: installationSecret, sha256 }: RestoreTarget,
  progress: (line: string) => void,
): string {
  if (sha256 !== undefined && sha256.toLowerCase() !== seal.sha256)
    throw new OperatorError(`The backup does not have the digest of --sha256: its digest is ${seal.sha256}.`);
  const secret = installationSecret ?? archiveSecret;
  if (secret === null)
    throw new OperatorError('The backup was made without the secret: set the APP_SECRET of its installation.');
  // An archive that version 0.2.0 of the service, or an older version, wrote contains the secret and has no signature.
  const isOld = seal.signature === null && archiveSecret !== null;
  if (!isOld && !isSignedWith(seal, secret))
    throw new OperatorError(
      'The backup was not signed with the secret of this installation: it was changed, or made by somebody else.',
    );
  if (archiveSecret !== null && sha256 === undefined)
    progress(
      `The origin of the backup was not verified${isOld ? ' (a backup of this older version has no signature)' : ''}: use --sha256 with the digest that "backup" has printed.`,
    );
  return secret;
}

async function refuseIfInUseOrNotEmpty(client: Client): Promise<void> {
  const otherSessions = await client.query(
    `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name LIKE 'events%'`,
  );
  if (otherSessions.rows.length > 0) throw new OperatorError(IN_USE);
  const { rows } = await client.query<{ has_table: boolean }>(
    `SELECT to_regclass('public.users') IS NOT NULL AS has_table`,
  );
  if (rows[0]?.has_table && (await client.query('SELECT 1 FROM users LIMIT 1')).rows.length > 0)
    throw new OperatorError(NOT_EMPTY);
}

function isPage(name: string): boolean {
  return name.startsWith(PAGES) && OPERATOR_FILES.includes(name.slice(PAGES.length));
}

async function putPages(folder: string, pages: ReadonlyMap<string, string>, writtenPages: string[]): Promise<void> {
  if (pages.size > 0) await mkdir(folder, { recursive: true });
  for (const [name, content] of pages) {
    const file = join(folder, name);
    if (existsSync(file)) continue;
    writtenPages.push(`${file}.part`, file);
    await writeFile(`${file}.part`, content);
    await rename(`${file}.part`, file);
  }
}

/** Stores a file as the service does: completely or not at all. A file that is already stored is not replaced. */
async function putFile(
  storage: Storage,
  { name, content }: Entry,
  workFolder: string,
  writtenFiles: string[],
): Promise<void> {
  const file = name.slice(FILES.length);
  const contentType = contentTypeOf(file);
  if (contentType === null)
    throw new OperatorError(`The backup contains a file that this service has not created: ${file}.`);
  const path = join(workFolder, 'file');
  await pipeline(content, createWriteStream(path, { mode: 0o600 }));
  if ((await storage.size(file)) === null) {
    writtenFiles.push(file);
    await storage.write(file, path, contentType);
  }
  await rm(path);
}
