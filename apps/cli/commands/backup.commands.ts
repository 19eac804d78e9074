import { createReadStream, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import type { Command } from 'commander';
import { backup, backupInto, type BackupSource } from '#platform/backup/backup';
import { restore } from '#platform/backup/restore';
import { makeDataFolder } from '#platform/config/data-folder';
import { Mistake } from '#platform/config/mistake';
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
    .description('database, files and secret as one archive, while servers work on; - writes it to stdout')
    .addHelpText('after', '\nThe archive holds the secret and everybody’s data: keep it as safe as the installation itself.\n')
    .action(async (folder: string) => {
      const settings = loadSettings(terminal().environment);
      const server = await DatabaseServer.open(settings);
      try {
        await migrate(server.url);
        const source: BackupSource = { databaseUrl: server.url, storage: await openStorage(settings), secret: settings.appSecret };
        // The archive is the answer then, and the figures are a remark.
        if (folder === '-') print(await backup(terminal().stdout, source, new Clock().now(), progress), terminal().stderr);
        else print(await backupInto(resolve(folder), source, new Clock().now(), progress));
      } finally {
        await server.release();
      }
    });

  program
    .command('restore <source>')
    .description('puts a backup into an empty installation; a folder (its latest), an archive, or - for stdin')
    .addHelpText('after', '\nWithout APP_SECRET the secret of the backup is put into DATA_DIR; with it, it has to be the same one.\nAfter an interruption the same command does it again.\n')
    .action(async (name: string) => {
      const source = archiveOf(name);
      const settings = readSettings(terminal().environment);
      makeDataFolder(settings.dataDir);
      const server = await DatabaseServer.open(settings);
      try {
        const target = { databaseUrl: server.url, storage: await openStorage(settings), adoptSecret: (secret: string) => adoptSecret(secret, settings.appSecret, settings.dataDir) };
        print(await restore(source, target, progress));
      } finally {
        await server.release();
      }
    });
}

function archiveOf(name: string): Readable {
  if (name === '-') return terminal().stdin;
  const path = resolve(name);
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) throw new Mistake(`There is no ${path}.`);
  if (!found.isDirectory()) return createReadStream(path);
  // Their names tell when they were made.
  const latest = readdirSync(path).filter((file) => /^events-\d{8}T\d{6}Z\.tar$/.test(file)).sort().at(-1);
  if (latest === undefined) throw new Mistake(`There is no backup in ${path}.`);
  progress(join(path, latest));
  return createReadStream(join(path, latest));
}

function adoptSecret(secret: string, set: string, dataDir: string): void {
  if (set !== '' && set !== secret) throw new Mistake('APP_SECRET is another one than the backup’s: set that one, or none.');
  if (set !== '') return;
  writeOwnFile(join(dataDir, 'secret'), `${secret}\n`);
  if (storedSecret(dataDir) !== secret) throw new Mistake(`${join(dataDir, 'secret')} is another secret than the backup’s: of an installation without accounts take it away, then restore.`);
}
