import { createReadStream } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import type { Command } from 'commander';
import { FolderArchives, keepNewest, newestOf, type Archives } from '#platform/backup/archive-places';
import { backup, type BackupSource } from '#platform/backup/backup';
import { bucketAddress, BucketArchives } from '#platform/backup/bucket-archives';
import { recordBackup } from '#platform/backup/last-backup';
import { restore } from '#platform/backup/restore';
import { verifyBackup } from '#platform/backup/verify';
import { makeDataFolder, statsOf } from '#platform/config/data-folder';
import { OperatorError } from '#platform/config/operator-error';
import { operatorPagesFolder } from '#platform/config/operator-pages';
import { storedSecret, writeOwnFile } from '#platform/config/secret';
import { loadSettings, readSettings } from '#platform/config/load-settings';
import { type Settings } from '#platform/config/settings';
import { DatabaseServer } from '#platform/database/database-server';
import { migrate } from '#platform/database/migrations';
import { openStorage } from '#platform/storage/open-storage';
import { Clock } from '#platform/time/clock';
import { print } from '../print';
import { terminal } from '../terminal';
import { wholeNumber } from '../whole-number';

const progress = (line: string): void => void terminal().stderr.write(`${line}\n`);

/** APP_SECRET, or else the secret in DATA_DIR; null if neither is set. */
function knownSecret({ appSecret, dataDir }: Settings): string | null {
  return appSecret === '' ? storedSecret(dataDir) : appSecret;
}

export function backupCommands(program: Command): void {
  const command = program
    .command('backup <place>')
    .description(
      'writes the database, the files, the operator’s texts and the secret into one archive; servers may run meanwhile. The place is a folder, s3://bucket/prefix, or - for stdout',
    )
    .addHelpText(
      'after',
      '\nThe archive contains the secret and everybody’s data: keep it as safe as the installation itself.\n',
    )
    .option(
      '--without-secret',
      'the archive does not contain the secret; it can then be restored only with the secret of this installation',
    )
    .option('--keep <n>', 'after the backup, deletes all archives of the place except the newest n')
    .action(async (place: string, { withoutSecret = false, keep }: { withoutSecret?: boolean; keep?: string }) => {
      const count = keep === undefined ? null : wholeNumber('--keep', keep);
      if (place === '-' && count !== null) throw new OperatorError('--keep needs a folder or a bucket, not stdout.');
      const { environment } = terminal();
      refuseMissingDatabase(readSettings(environment));
      const settings = loadSettings(environment);
      const archives = place === '-' ? null : await placeOf(place, settings);
      const server = await DatabaseServer.open(settings);
      try {
        await migrate(server.url);
        const source: BackupSource = {
          databaseUrl: server.url,
          storage: await openStorage(settings),
          secret: settings.appSecret,
          pagesFolder: operatorPagesFolder(settings.dataDir),
          withoutSecret,
        };
        const startedAt = new Clock().now();
        // With `-` the archive is written to stdout, so the counts are written to stderr.
        const written = archives
          ? await archives.backup(source, startedAt, progress)
          : await backup(terminal().stdout, source, startedAt, progress);
        recordTime(settings.dataDir, startedAt);
        const removed = archives && count !== null ? { removed: await keepNewest(archives, count) } : {};
        await print({ ...written, ...removed }, archives ? terminal().stdout : terminal().stderr);
      } finally {
        await server.release();
      }
    });

  command
    .command('verify <source>')
    .description(
      'restores a backup into a temporary database and compares the number of rows with the backup; exit code 1 if the restore fails or the numbers differ',
    )
    .option('--sha256 <digest>', 'accepts only the archive for which `backup` printed this digest')
    .action(async (name: string, { sha256 }: { sha256?: string }) => {
      const settings = readSettings(terminal().environment);
      const { source, file } = await archiveOf(name, settings);
      makeDataFolder(settings.dataDir);
      const server = await DatabaseServer.open(settings);
      try {
        const target = { databaseUrl: server.url, secret: knownSecret(settings), sha256 };
        const { rows, tables, files, fileBytes, missingFiles, hasSecret, ...rest } = await verifyBackup(
          source,
          target,
          progress,
        );
        await print({
          file,
          rows,
          tables,
          files,
          file_bytes: fileBytes,
          missing_files: missingFiles,
          has_secret: hasSecret,
          ...rest,
        });
      } finally {
        await server.release();
      }
    });

  program
    .command('restore <source>')
    .description(
      'restores a backup into an empty installation. The source is an archive, a folder or s3://bucket/prefix (the latest archive there), or - for stdin',
    )
    .addHelpText(
      'after',
      '\nIf neither APP_SECRET nor DATA_DIR has a secret, the secret of the backup is written to DATA_DIR. Otherwise the existing secret must equal the secret of the backup.\nIf the command is interrupted, run it again.\n',
    )
    .option('--sha256 <digest>', 'accepts only the archive for which `backup` printed this digest')
    .action(async (name: string, { sha256 }: { sha256?: string }) => {
      const settings = readSettings(terminal().environment);
      const { source } = await archiveOf(name, settings);
      makeDataFolder(settings.dataDir);
      const server = await DatabaseServer.open(settings);
      try {
        const currentSecret = knownSecret(settings);
        // Writes the secret of the backup only if the installation has no secret.
        const adoptSecret = (secret: string): void =>
          void (currentSecret ?? writeOwnFile(join(settings.dataDir, 'secret'), `${secret}\n`));
        const target = {
          databaseUrl: server.url,
          storage: await openStorage(settings),
          pagesFolder: operatorPagesFolder(settings.dataDir),
          secret: currentSecret,
          adoptSecret,
          sha256,
        };
        await print(await restore(source, target, progress));
      } finally {
        await server.release();
      }
    });
}

/** Records the time of the backup. A failure is only printed, because the backup itself is complete. */
function recordTime(dataDir: string, at: Date): void {
  try {
    recordBackup(dataDir, at);
  } catch (error) {
    progress(`The command doctor will not know the time of this backup: ${(error as Error).message}`);
  }
}

/**
 * The archives in a folder or a bucket. `name`: the name of the archive if `path` is the address of a single archive in
 * a bucket, otherwise null.
 */
async function archivesAt(path: string, { s3 }: Settings): Promise<{ archives: Archives; name: string | null }> {
  // An empty text, such as the value of a missing variable, would mean the current folder.
  if (path.trim() === '') throw new OperatorError('The place of a backup must not be empty.');
  const address = bucketAddress(path);
  if (address) return { archives: await BucketArchives.open(address, s3), name: address.name };
  return { archives: new FolderArchives(resolve(path)), name: null };
}

/**
 * Throws if there is no database. Without the settings of the installation, the command would create a new, empty
 * database, its backup would be useless, and `--keep` would delete good archives.
 */
function refuseMissingDatabase(settings: Settings): void {
  if (!DatabaseServer.exists(settings))
    throw new OperatorError(`DATABASE_URL is not set, and ${settings.dataDir} contains no database.`);
}

/**
 * The archives of the place to which a backup is written. The service chooses the names of archives, so a name is
 * refused.
 */
async function placeOf(path: string, settings: Settings): Promise<Archives> {
  const { archives, name } = await archivesAt(path, settings);
  if (name !== null) throw new OperatorError(`The place of a backup must not contain the name of an archive: ${name}.`);
  return archives;
}

/**
 * Opens an archive to read it: stdin if `path` is `-`, otherwise the archive at `path` or the newest archive in the
 * folder or bucket `path`. `file`: the path of the archive; null for stdin.
 */
async function archiveOf(path: string, settings: Settings): Promise<{ source: Readable; file: string | null }> {
  if (path === '-') return { source: terminal().stdin, file: null };
  const { archives, name } = await archivesAt(path, settings);
  if (archives instanceof FolderArchives) {
    const file = resolve(path);
    const stats = statsOf(file);
    if (!stats) throw new OperatorError(`There is no ${file}.`);
    if (!stats.isDirectory()) return { source: createReadStream(file), file };
  }
  const chosen = name ?? (await newestOf(archives));
  progress(archives.pathOf(chosen));
  return { source: await archives.open(chosen), file: archives.pathOf(chosen) };
}
