import { join } from 'node:path';
import type { INestApplicationContext } from '@nestjs/common';
import { startOfLastBackup } from '#platform/backup/last-backup';
import { Settings } from '#platform/config/settings';
import { Database, statement } from '#platform/database/database';
import { checkMailServer } from '#platform/mail/mailbox';
import { freeBytes } from '#platform/media/free-bytes';
import { Clock } from '#platform/time/clock';

const NOW = statement('doctor_now', 'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS now');

const MIN_FREE_BYTES = 500 * 2 ** 20;
/**
 * The maximum difference between the clocks of the process and of PostgreSQL. Most code uses the process's clock, for
 * example for tokens and jobs. Some SQL uses PostgreSQL's clock, for example for the end of bans.
 */
const MAX_CLOCK_DIFFERENCE_MS = 2_000;
const MAX_BACKUP_AGE_DAYS = 7;
const DAY_MS = 86_400_000;

/** Checks of the service's environment: network, mail server, disk, clock, backup. */
export const SURROUNDINGS: Record<string, (app: INestApplicationContext, signal: AbortSignal) => Promise<string>> = {
  base_url: async (app, signal) => {
    const { baseUrl, production } = app.get(Settings);
    const url = new URL(baseUrl);
    if (production && url.protocol !== 'https:')
      throw new Error(`${baseUrl} is not https: passwords and tokens cross the network unencrypted`);
    const result = await fetch(`${baseUrl}/health/live`, { signal, redirect: 'manual' })
      .then(async ({ status, body }) => {
        await body?.cancel();
        return `answers ${status}`;
      })
      .catch((error: unknown) => error as Error);
    if (result === 'answers 200') return `${baseUrl} answers`;
    if (result instanceof Error && !production)
      return `${baseUrl} does not answer: probably no server is running there`;
    throw result instanceof Error
      ? new Error(`${baseUrl} cannot be reached`, { cause: result })
      : new Error(`${baseUrl}/health/live ${result}, not 200`);
  },
  mail: async (app, signal) => {
    const { smtpUrl } = app.get(Settings);
    if (smtpUrl === null) return 'none: SMTP_URL is not set';
    await checkMailServer(smtpUrl, signal);
    return `${new URL(smtpUrl).host} answers`;
  },
  disk: async (app) => {
    const { dataDir, storage } = app.get(Settings);
    const folders = storage.kind === 'local' ? [dataDir, join(dataDir, 'files')] : [dataDir];
    const free = await Promise.all(folders.map(async (folder) => ({ folder, bytes: await freeBytesOf(folder) })));
    const almostFull = free.filter(({ bytes }) => bytes < MIN_FREE_BYTES);
    const freeSpace = (some: typeof free): string =>
      some.map(({ folder, bytes }) => `${Math.floor(bytes / 2 ** 20)} MiB free in ${folder}`).join('; ');
    if (almostFull.length > 0) throw new Error(freeSpace(almostFull));
    return freeSpace(free);
  },
  clock: async (app) => {
    const [clock, database] = [app.get(Clock), app.get(Database)];
    const before = clock.now().getTime();
    const [row] = await database.rows<{ now: number }>(NOW);
    const after = clock.now().getTime();
    // PostgreSQL read its clock between `before` and `after`, so only a time outside this interval shows a difference.
    const difference = Math.round(Math.max(before - (row?.now ?? 0), (row?.now ?? 0) - after, 0));
    if (difference > MAX_CLOCK_DIFFERENCE_MS)
      throw new Error(`PostgreSQL's clock differs by ${difference} ms: synchronize both clocks by NTP`);
    return `PostgreSQL's clock differs by ${difference} ms`;
  },
  backup: async (app) => {
    const last = startOfLastBackup(app.get(Settings).dataDir);
    if (last === null) return 'no backup was made from this DATA_DIR';
    const days = Math.floor((app.get(Clock).now().getTime() - last.getTime()) / DAY_MS);
    if (days >= MAX_BACKUP_AGE_DAYS) throw new Error(`the last backup is ${days} days old (${last.toISOString()})`);
    return `the last backup was made at ${last.toISOString()}`;
  },
};

/**
 * Free bytes of the folder's disk. If the folder does not exist, its parent folder is checked, because the service
 * creates the folder `files` only when it stores the first file.
 */
function freeBytesOf(folder: string): Promise<number> {
  return freeBytes(folder).catch(() => freeBytes(join(folder, '..')));
}
