import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { SealingKeys } from '#platform/config/sealer';
import { readOrMakeSecret } from '#platform/config/secret';
import { fingerprintOf } from '#platform/installation/installation';
import { CommandLine } from '#testing/command-line';
import { repetitions } from '#testing/repetitions';
import { withClient } from '#testing/test-cluster';
import { createTestDatabase, type TestDatabase } from '#testing/test-database';
import { waitUntil } from '#testing/wait-until';

const ROOT = join(__dirname, '..', '..');
const COMMAND = [
  '--conditions=events-source',
  '--require',
  join(ROOT, 'libs/testing/register-typescript.cjs'),
  join(ROOT, 'apps/cli/main.ts'),
  'secret',
  'rotate',
];
const KILLS = repetitions('secret_kills');
/**
 * With so many texts, a rotation spends most of its time on sealing (encrypting) them, so most kills occur during the
 * sealing.
 */
const TEXTS = 4_000;

// OPS-25
describe('a killed rotation of the secret', () => {
  let database: TestDatabase;
  const dataDir = mkdtempSync(join(tmpdir(), 'events-secret-'));
  const [path, next] = [join(dataDir, 'secret'), join(dataDir, 'secret.next')];
  const secretIn = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8').trim() : null);
  const sql = async <Row extends object>(text: string, values: unknown[] = []) =>
    withClient(database.url, async (client) => (await client.query<Row>(text, values)).rows);

  beforeAll(async () => {
    database = await createTestDatabase();
    const sealer = new SealingKeys(readOrMakeSecret(dataDir));
    await sql('CREATE TABLE sealed_texts (id int PRIMARY KEY, text_sealed text)');
    await sql('INSERT INTO sealed_texts SELECT * FROM unnest($1::int[], $2::text[])', [
      Array.from({ length: TEXTS }, (_, id) => id),
      Array.from({ length: TEXTS }, (_, id) => sealer.seal(`text ${id}`)),
    ]);
  });
  afterAll(async () => {
    await database.drop();
    rmSync(dataDir, { recursive: true });
  });

  /**
   * Rotates the secret in a child process, and kills the child process `killAfter` milliseconds after its first
   * connection to the database.
   */
  async function killedRotation(killAfter: number): Promise<void> {
    const { PATH = '' } = process.env;
    const child = spawn(process.execPath, COMMAND, {
      cwd: ROOT,
      env: { PATH, DATABASE_URL: database.url, DATA_DIR: dataDir },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const exited = once(child, 'exit');
    await withClient(database.url, async (client) => {
      const connectionOfCommand = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'events-rotate'`;
      await waitUntil(
        async () =>
          child.exitCode !== null ||
          child.signalCode !== null ||
          (await client.query(connectionOfCommand)).rowCount !== 0,
      );
    });
    await pause(killAfter);
    child.kill('SIGKILL');
    await exited;
  }

  /**
   * Returns the name of the file that contains the secret of the database. Checks that all texts in the database are
   * sealed with this secret.
   */
  async function fileOfCurrentSecret(): Promise<'secret' | 'secret.next'> {
    // PostgreSQL notices only after a while that a killed client is gone.
    await waitUntil(
      async () =>
        (
          await sql(
            `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'events-rotate'`,
          )
        ).length === 0,
    );
    const [installation] = await sql<{ secret_fingerprint: string }>('SELECT secret_fingerprint FROM installation');
    const secrets = { secret: secretIn(path), 'secret.next': secretIn(next) };
    const file = (['secret', 'secret.next'] as const).find(
      (one) => secrets[one] !== null && fingerprintOf(secrets[one]) === installation?.secret_fingerprint,
    );
    if (!file) throw new Error('neither file contains the secret of the database');
    const sealer = new SealingKeys(secrets[file] ?? '');
    const texts = await sql<{ id: number; text_sealed: string }>(
      'SELECT id, text_sealed FROM sealed_texts ORDER BY id',
    );
    expect(texts.map(({ text_sealed }) => sealer.open(text_sealed))).toEqual(texts.map(({ id }) => `text ${id}`));
    return file;
  }

  it(
    `leaves all texts sealed with the same secret, and is completed when the same command runs again (${KILLS} kills)`,
    async () => {
      // Commands that are not killed run in this process.
      const operator = CommandLine.forDatabaseOf({ databaseUrl: database.url, dataDir, appSecret: '' });
      const began = performance.now();
      const { code } = await operator.run(['secret', 'rotate']);
      const durationMs = performance.now() - began;
      expect([code, await fileOfCurrentSecret()]).toEqual([0, 'secret']);
      const saltsBefore = await salts();
      for (let kill = 0; kill < KILLS; kill++) {
        // The kills are spread over the duration of a rotation, so that every part of a rotation is interrupted.
        await killedRotation(((kill + Math.random()) / KILLS) * durationMs);
        await fileOfCurrentSecret();
        expect((await operator.run(['secret', 'rotate'])).code).toBe(0);
        expect(await fileOfCurrentSecret()).toBe('secret');
        expect(existsSync(next)).toBe(false);
        expect(await salts()).toEqual(saltsBefore);
      }
    },
    60_000 + KILLS * 60_000,
  );

  const salts = () => sql('SELECT kind, salt FROM public_id_salts ORDER BY kind');
});
