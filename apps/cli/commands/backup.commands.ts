import { createReadStream, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import type { Command } from 'commander';
import { backup, backupInto, type BackupSource } from '#platform/backup/backup';
import { recordBackup } from '#platform/backup/last-backup';
import { restore } from '#platform/backup/restore';
import { makeDataFolder } from '#platform/config/data-folder';
import { OperatorError } from '#platform/config/operator-error';
import { operatorPagesFolder } from '#platform/config/operator-pages';
import { storedSecret, writeOwnFile } from '#platform/config/secret';
import { loadSettings, readSettings } from '#platform/config/settings';
import { DatabaseServer } from '#platform/database/database-server';
import { migrate } from '#platform/database/migrations';
import { openStorage } from '#platform/storage/open-storage';
import { Clock } from '#platform/time/clock';
import { print } from '../print';
import { terminal } from '../terminal';

const progress = (line: string): void => void terminal().stderr.write(`${line}\n`);

export function backupCommands(program: Command): void {
  program
    .command('backup <folder>')
    .description(
      'database, files, texts of the operator and secret as one archive, while servers work on; - writes it to stdout',
    )
    .addHelpText(
      'after',
      '\nThe archive holds the secret and everybody’s data: keep it as safe as the installation itself.\n',
    )
    .option(
      '--without-secret',
      'the archive lacks the secret: restore then needs APP_SECRET, and refuses archives of anybody else',
    )
    .action(async (folder: string, { withoutSecret = false }: { withoutSecret?: boolean }) => {
      const settings = loadSettings(terminal().environment);
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
        // The archive is the output then, and the counts go to stderr.
        if (folder === '-') print(await backup(terminal().stdout, source, startedAt, progress), terminal().stderr);
        else print(await backupInto(resolve(folder), source, startedAt, progress));
        recorded(settings.dataDir, startedAt);
      } finally {
        await server.release();
      }
    });

  program
    .command('restore <source>')
    .description('puts a backup into an empty installation; a folder (its latest), an archive, or - for stdin')
    .addHelpText(
      'after',
      '\nWithout APP_SECRET the secret of the backup is put into DATA_DIR; with it, it has to be the same one.\nAfter an interruption the same command does it again.\n',
    )
    .option('--sha256 <digest>', 'refuses every archive but the one for which backup printed this digest')
    .action(async (name: string, { sha256 }: { sha256?: string }) => {
      const source = archiveOf(name);
      const settings = readSettings(terminal().environment);
      makeDataFolder(settings.dataDir);
      const server = await DatabaseServer.open(settings);
      try {
        const known = settings.appSecret === '' ? storedSecret(settings.dataDir) : settings.appSecret;
        const adoptSecret = (secret: string): void =>
          void (known ?? writeOwnFile(join(settings.dataDir, 'secret'), `${secret}\n`));
        const target = {
          databaseUrl: server.url,
          storage: await openStorage(settings),
          pagesFolder: operatorPagesFolder(settings.dataDir),
          secret: known,
          adoptSecret,
          sha256,
        };
        print(await restore(source, target, progress));
      } finally {
        await server.release();
      }
    });
}

/** The backup is complete: a failure to record it does not fail the command. */
function recorded(dataDir: string, at: Date): void {
  try {
    recordBackup(dataDir, at);
  } catch (error) {
    progress(`doctor will not know of this backup: ${(error as Error).message}`);
  }
}

function archiveOf(name: string): Readable {
  if (name === '-') return terminal().stdin;
  const path = resolve(name);
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) throw new OperatorError(`There is no ${path}.`);
  if (!found.isDirectory()) return createReadStream(path);
  // The names contain the time of the backup.
  const latest = readdirSync(path)
    .filter((file) => /^events-\d{8}T\d{6}Z\.tar$/.test(file))
    .sort()
    .at(-1);
  if (latest === undefined) throw new OperatorError(`There is no backup in ${path}.`);
  progress(join(path, latest));
  return createReadStream(join(path, latest));
}
