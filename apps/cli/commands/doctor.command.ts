import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { INestApplicationContext } from '@nestjs/common';
import type { Command } from 'commander';
import { DataSource } from 'typeorm';
import { Sealer } from '#platform/config/sealer';
import { loadSettings } from '#platform/config/load-settings';
import { Settings } from '#platform/config/settings';
import { Database, statement } from '#platform/database/database';
import { ReadingDatabase } from '#platform/database/replicas/reading-database';
import { DatabaseServer } from '#platform/database/database-server';
import { pendingMigrationsAt, unknownMigrations } from '#platform/database/migration-state';
import { Maintenance } from '#platform/maintenance/maintenance';
import { examineSealedTexts } from '#platform/installation/sealed-texts';
import { Jobs } from '#platform/jobs/jobs';
import { Ffmpeg } from '#platform/media/ffmpeg';
import { Scratch } from '#platform/media/scratch';
import { RequestWindows } from '#platform/rate-limit/request-windows';
import { Storage } from '#platform/storage/storage';
import { reasonOf } from '#platform/text/reason';
import { print } from '../print';
import { answer } from '../answer';
import { SURROUNDINGS } from './doctor-surroundings';
import { terminal } from '../terminal';

const VERSION = statement('doctor_version', `SELECT current_setting('server_version') AS version`);

/** The name of the file that the check of the storage writes and then deletes. No other stored file has this name. */
const PROBE = 'doctor-was-here';
/** Seconds that `doctor` waits for an answer of the database server before it ends with an error. */
const DATABASE_WAIT_SECONDS = 3;

/** Time limit of each check except that of ffmpeg. */
const CHECK_SECONDS = 5;
/** Time limit of the check of ffmpeg, which starts programs. On a busy machine, programs start slowly. */
const FFMPEG_CHECK_SECONDS = 30;

const REPLICA_ATTEMPTS = 5;
const REPLICA_PAUSE_MS = 100;
/**
 * A text for each value of `ReadingDatabase.store`, the place where write positions are stored. A write position is the
 * position of an account's last write in PostgreSQL's write-ahead log. Only replicas that have reached this position
 * may answer the account.
 */
const WRITE_POSITION_STORES = {
  redis: 'all processes share the positions of writes through Redis',
  memory:
    'each process knows only its own writes: with several processes, set REDIS_URL, or people may briefly not see what they have just written',
  'memory-for-redis': 'Redis does not answer: reads by accounts use the primary',
} as const;

type Verdict = { ok: boolean; detail: string };

/**
 * The checks in the order in which they run. Each check returns a text for the output, or throws the problem as an
 * error.
 */
const CHECKS: Record<string, (app: INestApplicationContext, signal: AbortSignal) => Promise<string>> = {
  settings: async (app) => `base URL ${app.get(Settings).baseUrl}, jobs ${app.get(Settings).jobs ? 'on' : 'off'}`,
  database: async (app) => {
    const [row] = await app.get(Database).rows<{ version: string }>(VERSION);
    return `PostgreSQL ${row?.version ?? '?'}, ${app.get(Settings).databaseUrl === null ? 'embedded' : 'external'}`;
  },
  replicas: async (app) => {
    const reading = app.get(ReadingDatabase);
    if (reading.store === null) return 'none';
    // The check is repeated, because a replica of a busy primary may lag for a moment.
    for (
      let attempts = 0;
      attempts === 0 ||
      (attempts < REPLICA_ATTEMPTS && reading.replicas.some(({ unusableReason }) => unusableReason !== null));
      attempts++
    ) {
      await reading.check();
      await pause(REPLICA_PAUSE_MS);
    }
    const unusable = reading.replicas.filter(({ unusableReason }) => unusableReason !== null);
    if (unusable.length > 0)
      throw new Error(
        unusable.map(({ name, unusableReason }) => `${name} is not used for reads: ${unusableReason}`).join('; '),
      );
    return `${reading.replicas.map(({ name }) => name).join(', ')}; ${WRITE_POSITION_STORES[reading.store]}`;
  },
  migrations: async (app) => {
    const newer = await unknownMigrations(app.get(DataSource));
    return newer.length === 0
      ? 'all applied'
      : `all applied; the database also has ${newer.join(', ')} of a newer version, and this version works with that database`;
  },
  secret: async (app) => {
    // The service does not start with a wrong secret, so the secret is correct here. Still, individual texts may be
    // unreadable, because they were encrypted with an older secret or are damaged.
    const { readable, unreadable } = await examineSealedTexts(app.get(Database), app.get(Sealer));
    if (unreadable > 0)
      throw new Error(
        `${unreadable} of ${readable + unreadable} sealed (encrypted) texts cannot be decrypted: their owners must set them again`,
      );
    return `correct: it decrypts ${readable} sealed (encrypted) texts`;
  },
  storage: async (app) => {
    const storage = app.get(Storage);
    await app.get(Scratch).during(async (folder) => {
      await writeFile(join(folder, PROBE), 'The doctor was here.');
      await storage.write(PROBE, join(folder, PROBE), 'text/plain');
    });
    await storage.remove(PROBE);
    return app.get(Settings).storage.kind;
  },
  ffmpeg: async (app) => {
    const { program, problems } = await app.get(Ffmpeg).report();
    if (program === null) throw new Error(`videos are refused. ${problems.join('; ')}`);
    return `${program.version} (${program.source})`;
  },
  maintenance: async (app) => {
    const state = await app.get(Maintenance).read();
    return state ? `on since ${state.since.toISOString()}: ${state.message}` : 'off';
  },
  jobs: async (app) => {
    const failed = (await app.get(Jobs).lastRuns()).filter(({ error }) => error !== null);
    if (failed.length > 0) throw new Error(failed.map(({ job, error }) => `${job} failed: ${error}`).join('; '));
    return 'no job failed in its last run';
  },
  redis: async (app) => {
    const { store } = app.get(RequestWindows);
    if (store === 'memory-for-redis') throw new Error('Redis does not answer: each process counts requests separately');
    return store;
  },
  ...SURROUNDINGS,
};

export function doctorCommand(program: Command): void {
  program
    .command('doctor')
    .description(
      'checks settings, database, replicas, migrations, secret, maintenance, storage, ffmpeg, jobs, Redis, base URL, mail, disk, clock and the last backup',
    )
    .action(async () => {
      const settings = { ...loadSettings(terminal().environment), databaseTimeoutSeconds: DATABASE_WAIT_SECONDS };
      const server = await DatabaseServer.open(settings);
      try {
        // The check of the migrations comes before the service is opened, because opening the service would apply
        // missing migrations. The operator decides when to migrate.
        const pending = await pendingMigrationsAt(server.url);
        if (pending.length > 0) {
          await print({ migrations: { ok: false, detail: `not applied: ${pending.join(', ')}` } });
          terminal().exitCode = 1;
        } else {
          await answer(examine, settings);
        }
      } finally {
        await server.release();
      }
    });
}

async function examine(app: INestApplicationContext): Promise<Record<string, Verdict>> {
  const verdicts: Record<string, Verdict> = {};
  for (const [name, check] of Object.entries(CHECKS))
    verdicts[name] = await verdictOf(name, (signal) => check(app, signal));
  if (Object.values(verdicts).some(({ ok }) => !ok)) terminal().exitCode = 1;
  return verdicts;
}

async function verdictOf(name: string, check: (signal: AbortSignal) => Promise<string>): Promise<Verdict> {
  const seconds = name === 'ffmpeg' ? FFMPEG_CHECK_SECONDS : CHECK_SECONDS;
  const limit = AbortSignal.timeout(seconds * 1000);
  const exceeded = new Promise<never>((_, fail) =>
    limit.addEventListener('abort', () => fail(new Error(`no answer within ${seconds} seconds`))),
  );
  try {
    return { ok: true, detail: await Promise.race([check(limit), exceeded]) };
  } catch (error) {
    return { ok: false, detail: reasonsOf(error).join(': ') };
  }
}

/** The messages of the error and of its causes. The HTTP status is added to an error that an S3 bucket has returned. */
function reasonsOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const { $metadata } = error as { $metadata?: { httpStatusCode?: number } };
  const text = reasonOf(error);
  return [$metadata?.httpStatusCode ? `${text} (${$metadata.httpStatusCode})` : text, ...reasonsOf(error.cause)];
}
