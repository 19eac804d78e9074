// Backup, restore, change of the secret, erasure and migrations are killed (kill -9) at 20 random moments each.
// A killed run must leave no partial result, and the next run must finish the work.
//   npm run rehearse -- kill [--times 20] [--only backup,restore,rotate,erase,migrate] [--break]
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createDatabase, cli, environment, openDatabase, populate, sql } from './lib/installation.mjs';
import { folder, options, rehearse, ROOT, run } from './lib/programs.mjs';
import { relayWithSnapshot, tablesOf } from './lib/snapshot.mjs';

const {
  times: TIMES,
  only,
  isBroken,
} = options(
  'kill',
  { times: 20, only: 'backup,restore,rotate,erase,migrate' },
  'the state is damaged after each kill: an archive is truncated, an account is added, an encrypted join password cannot be decrypted, tokens are deleted, a column is dropped',
);
const require = createRequire(import.meta.url);
const sharp = require('sharp');

await rehearse('kill', { maxMinutes: 45 }, async () => {
  const source = await openDatabase();
  // Without APP_SECRET, the secret is stored in DATA_DIR. A rotation must then change the database and the files of the
  // secret together.
  const env = withoutSecret(environment(source, folder('data')));
  await populate(env, { count: 30, passwords: true, avatar: await picture() });
  const checkByName = {
    backup: () => killBackups(env),
    restore: () => killRestores(source, env),
    rotate: () => killRotations(source, env),
    erase: () => killErasures(source, env),
    migrate: () => killMigrations(source),
  };
  const figures = {};
  for (const name of only.split(',')) figures[name] = await checkByName[name]();
  return {
    passed: Object.values(figures).every(
      ({ wrong, finished, killed }) => wrong === 0 && finished === TIMES && killed > 0,
    ),
    times: TIMES,
    ...figures,
  };
});

function withoutSecret(env) {
  const rest = { ...env };
  delete rest.APP_SECRET;
  return rest;
}

/**
 * Measures the duration of one run of the command, and divides this duration into equal parts. For each part, starts a
 * run and kills it at a random moment of the part. `prepare` returns the target of a run. The other functions get this
 * target. `check` returns a message if the state after the kill is wrong, and `finish` completes the work. `damage`
 * causes the fault of `--break`. In the result, `wrong` is the number of wrong states.
 */
async function killRepeatedly(name, { prepare = () => ({}), command, damage, check, finish }) {
  const wholeMs = await durationOf(async () => command(await prepare('whole')).ended);
  const count = { killed: 0, wrong: 0, finished: 0, whole_ms: Math.round(wholeMs) };
  for (let n = 0; n < TIMES; n++) {
    const target = await prepare(n);
    const child = command(target);
    await Promise.race([pause(((n + Math.random()) / TIMES) * wholeMs), child.ended]);
    if (!child.isOver()) count.killed++;
    await child.stop('SIGKILL');
    if (isBroken) await damage(target);
    const fault = await check(target);
    if (fault) {
      count.wrong++;
      console.error(`${name}, ${n + 1}: ${fault}`);
    }
    const unfinished = await finish(target).then(
      () => null,
      (error) => error.message,
    );
    if (unfinished === null) count.finished++;
    else console.error(`${name}, ${n + 1}, the second run: ${unfinished}`);
  }
  return count;
}

async function durationOf(work) {
  const since = performance.now();
  await work();
  return performance.now() - since;
}

function cliProcess(env, args) {
  return run(process.execPath, [join(ROOT, 'dist/apps/cli/main.js'), ...args], { env, quiet: true });
}

/**
 * Verifies that every file whose name ends with `.tar` is a complete archive. After the next run, there must be no
 * temporary files.
 */
function killBackups(env) {
  const archiveFolder = folder('backups');
  const archives = () => readdirSync(archiveFolder).filter((name) => name.endsWith('.tar'));
  return killRepeatedly('backup', {
    command: () => cliProcess(env, ['backup', archiveFolder]),
    damage: () => {
      const archive = join(archiveFolder, archives()[0]);
      truncateSync(archive, Math.floor(statSync(archive).size / 2));
    },
    check: async () => {
      for (const name of archives())
        if ((await run('tar', ['-tf', join(archiveFolder, name)], { quiet: true }).ended) !== 0)
          return `${name} is not a complete archive`;
      return null;
    },
    finish: async () => {
      const { file, rows } = await cli(env, ['backup', archiveFolder]);
      if (rows === 0 || readdirSync(archiveFolder).some((name) => name.startsWith('.')))
        throw new Error(`${file} is empty, or there are temporary files`);
    },
  });
}

/**
 * Verifies that a killed restoration has restored either all tables of the archive or no account. In the second case,
 * the next run restores the archive.
 */
async function killRestores(source, env) {
  const archiveFolder = folder('archive');
  let archivedTables;
  const relay = await relayWithSnapshot(source, async (snapshot) => {
    archivedTables = (await tablesOf(source, snapshot)).tables;
  });
  await cli({ ...env, DATABASE_URL: relay }, ['backup', archiveFolder]);
  const accounts = async (url) => {
    const [{ found }] = await sql(url, `SELECT to_regclass('users') IS NOT NULL AS found`);
    return found ? Number((await sql(url, 'SELECT count(*) AS n FROM users'))[0].n) : 0;
  };
  const difference = async (url) => {
    const { tables } = await tablesOf(url);
    const names = Object.keys({ ...archivedTables, ...tables }).filter(
      (name) => JSON.stringify(archivedTables[name]) !== JSON.stringify(tables[name]),
    );
    return names.length === 0 ? null : `not as in the archive: ${names.join(', ')}`;
  };
  return killRepeatedly('restore', {
    prepare: async (n) =>
      withoutSecret(
        environment(await createDatabase(source, `rehearsal_restored_${n}_${process.pid}`), folder('restored')),
      ),
    command: (target) => cliProcess(target, ['restore', archiveFolder]),
    damage: async ({ DATABASE_URL: url }) => {
      await waitForOtherSessions(url);
      const [{ found }] = await sql(url, `SELECT to_regclass('users') IS NOT NULL AS found`);
      if (found)
        await sql(url, `INSERT INTO users (slug, name, created_at, updated_at) VALUES ('half', 'Half', now(), now())`);
    },
    check: async ({ DATABASE_URL: url }) => {
      await waitForOtherSessions(url);
      return (await accounts(url)) === 0 ? null : difference(url);
    },
    finish: async (target) => {
      if ((await accounts(target.DATABASE_URL)) === 0) await cli(target, ['restore', archiveFolder]);
      // A restored database gets functions, views and triggers at the next start of a server, or by this command.
      await cli(target, ['migrate']);
      const { secret } = await cli(target, ['doctor']);
      const fault = await difference(target.DATABASE_URL);
      if (!secret.ok || fault) throw new Error(`not restored: ${fault ?? secret.detail}`);
    },
  });
}

/**
 * Verifies that `secret` or `secret.next` contains the secret whose fingerprint is in the database, and that this
 * secret decrypts every join password.
 */
function killRotations(source, env) {
  const { fingerprintOf } = require(join(ROOT, 'dist/libs/platform/installation/installation.js'));
  const { SealingKeys } = require(join(ROOT, 'dist/libs/platform/config/sealer.js'));
  return killRepeatedly('rotate', {
    command: () => cliProcess(env, ['secret', 'rotate']),
    damage: async () => {
      await waitForOtherSessions(source);
      await sql(
        source,
        `UPDATE all_events SET join_password_sealed = 'of no secret' WHERE id = (SELECT min(id) FROM all_events)`,
      );
    },
    check: async () => {
      await waitForOtherSessions(source);
      const [{ secret_fingerprint: expectedFingerprint }] = await sql(
        source,
        'SELECT secret_fingerprint FROM installation',
      );
      const secret = ['secret', 'secret.next']
        .map((name) => join(env.DATA_DIR, name))
        .filter((path) => existsSync(path))
        .map((path) => readFileSync(path, 'utf8').trim())
        .find((one) => fingerprintOf(one) === expectedFingerprint);
      if (!secret) return 'no file contains the secret whose fingerprint is in the database';
      const keys = new SealingKeys(secret);
      // The event `Piknik 7` has the join password `heslo 7` (see `populate`).
      const rows = await sql(source, 'SELECT title, join_password_sealed AS sealed FROM all_events');
      const unreadable = rows.filter(({ title, sealed }) => keys.open(sealed) !== title.replace('Piknik', 'heslo'));
      return rows.length > 0 && unreadable.length === 0
        ? null
        : `${unreadable.length} join passwords cannot be decrypted with this secret`;
    },
    finish: async () => {
      await cli(env, ['secret', 'rotate']);
      const { secret } = await cli(env, ['doctor']);
      if (!secret.ok) throw new Error(secret.detail);
    },
  });
}

/**
 * Verifies that a killed erasure has deleted either all data of an account or nothing. After the next run, the data and
 * the picture must not exist.
 */
function killErasures(source, env) {
  const TRACES = `
    SELECT (SELECT count(*)::int FROM users WHERE slug = $2) AS account, (SELECT count(*)::int FROM tokens WHERE user_id = $1) AS tokens,
           (SELECT count(*)::int FROM all_events WHERE organizer_id = $1) AS events, (SELECT count(*)::int FROM participations WHERE user_id = $1) AS joined`;
  const traces = async ({ id, slug }) => Object.values((await sql(source, TRACES, [id, slug]))[0]);
  return killRepeatedly('erase', {
    prepare: async (n) => {
      const slug = `person-${n === 'whole' ? TIMES : n}`;
      const [{ id, avatar_key: avatar }] = await sql(source, 'SELECT id, avatar_key FROM users WHERE slug = $1', [
        slug,
      ]);
      return { id, slug, avatar, before: await traces({ id, slug }) };
    },
    command: ({ slug }) => cliProcess(env, ['user', 'erase', slug]),
    damage: async ({ id }) => {
      await waitForOtherSessions(source);
      await sql(source, 'DELETE FROM tokens WHERE user_id = $1', [id]);
    },
    check: async (person) => {
      await waitForOtherSessions(source);
      const remaining = await traces(person);
      return remaining.every((n) => n === 0) || remaining.join() === person.before.join()
        ? null
        : `data of ${person.slug}: ${remaining.join()} of ${person.before.join()} remain`;
    },
    finish: async (person) => {
      if ((await traces(person))[0] > 0) await cli(env, ['user', 'erase', person.slug]);
      await cli(env, ['jobs', 'run', 'media-sweep']);
      const remaining = await traces(person);
      if (remaining.some((n) => n > 0)) throw new Error(`data of ${person.slug} remain: ${remaining.join()}`);
      if (readdirSync(env.DATA_DIR, { recursive: true }).some((file) => file.includes(person.avatar.split('.')[0])))
        throw new Error(`the picture of ${person.slug} still exists`);
    },
  });
}

async function picture() {
  const path = join(folder('picture'), 'avatar.png');
  writeFileSync(
    path,
    await sharp({ create: { width: 300, height: 300, channels: 3, background: { r: 20, g: 120, b: 90 } } })
      .png()
      .toBuffer(),
  );
  return path;
}

/**
 * Verifies that each migration in a transaction is applied completely or not at all: the tables equal the tables of an
 * installation with the same migrations. A migration outside a transaction can be applied in part. At the end, the
 * tables equal the tables after a run without a kill.
 */
async function killMigrations(source) {
  const expectedShape = await shape(source);
  const database = join(ROOT, 'dist/libs/platform/database');
  const { loadMigrations } = require(join(database, 'migration-files.js'));
  const { migrateAs } = require(join(database, 'migrations.js'));
  const all = await sql(source, 'SELECT name FROM migrations ORDER BY id');
  const classes = [...loadMigrations().values()];
  const expected = new Map();
  const expectedOf = async (names) => {
    const key = names.join();
    if (!expected.has(key)) {
      const url = await createDatabase(source, `rehearsal_expected_${expected.size}_${process.pid}`);
      if (names.length > 0) await migrateAs(url, names);
      expected.set(key, await parts(url));
    }
    return expected.get(key);
  };
  return killRepeatedly('migrate', {
    prepare: async (n) =>
      withoutSecret(
        environment(await createDatabase(source, `rehearsal_migrated_${n}_${process.pid}`), folder('migrated')),
      ),
    command: (target) => cliProcess(target, ['migrate']),
    damage: async ({ DATABASE_URL: url }) => {
      await waitForOtherSessions(url);
      await sql(url, 'ALTER TABLE IF EXISTS users DROP COLUMN IF EXISTS nickname CASCADE');
    },
    check: async ({ DATABASE_URL: url }) => {
      await waitForOtherSessions(url);
      const [{ found }] = await sql(url, `SELECT to_regclass('migrations') IS NOT NULL AS found`);
      const rows = found ? await sql(url, 'SELECT name FROM migrations ORDER BY id') : [];
      const names = rows.map(({ name }) => name);
      const [actualParts, expectedParts] = [await parts(url), await expectedOf(names)];
      const missing = expectedParts.filter((part) => !actualParts.includes(part));
      const additional = actualParts.filter((part) => !expectedParts.includes(part));
      // A migration outside a transaction is recorded after its last step. If it was killed, the database can contain
      // parts of its result and indexes with temporary names, and parts that the migration removes can be missing.
      const isNextOutsideTransaction = names.length < all.length && new classes[names.length]().transaction === false;
      const nextParts =
        missing.length + additional.length > 0 && isNextOutsideTransaction
          ? await expectedOf([...names, all[names.length].name])
          : expectedParts;
      const lost = missing.filter((part) => nextParts.includes(part));
      const unexpected = additional.filter(
        (part) => !nextParts.includes(part) && !(isNextOutsideTransaction && part.startsWith('index ')),
      );
      return lost.length + unexpected.length === 0
        ? null
        : `after ${rows.length} migrations ${lost[0] ?? unexpected[0]} is ${lost[0] ? 'missing' : 'unexpected'}`;
    },
    finish: async (target) => {
      await cli(target, ['migrate']);
      if ((await shape(target.DATABASE_URL)) !== expectedShape)
        throw new Error('the tables differ from those after a run without a kill');
    },
  });
}

/**
 * Returns a text for each column, constraint and valid index of the tables, except those of the table `migrations` and
 * of the partitions of `changes`.
 */
async function parts(url) {
  const rows = await sql(
    url,
    `
    SELECT 'column ' || table_name || '.' || column_name || ' ' || data_type || coalesce(column_default, '') AS part
      FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
     WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND table_name !~ '^(changes_\\d{8}|migrations)$'
    UNION ALL SELECT 'index ' || pg_get_indexdef(indexrelid) FROM pg_index JOIN pg_class c ON c.oid = indrelid
     WHERE indisvalid AND relnamespace = 'public'::regnamespace AND relname !~ '^(changes_\\d{8}|migrations)$'
    UNION ALL SELECT 'constraint ' || conrelid::regclass || ' ' || pg_get_constraintdef(oid) FROM pg_constraint
     WHERE connamespace = 'public'::regnamespace AND conrelid::regclass::text !~ '^(changes_\\d{8}|migrations)$'
    ORDER BY 1`,
  );
  return rows.map(({ part }) => part);
}

/**
 * Returns a digest of all columns, indexes, constraints, functions and triggers, and of the applied migrations. The
 * partitions of `changes` are not included.
 */
async function shape(url) {
  const rows = await sql(
    url,
    `
    SELECT 'column' AS kind, table_name || '.' || column_name || ' ' || data_type || coalesce(column_default, '') AS what FROM information_schema.columns
      WHERE table_schema = 'public' AND table_name !~ '^changes_\\d{8}$'
    UNION ALL SELECT 'index', indexdef FROM pg_indexes WHERE schemaname = 'public' AND tablename !~ '^changes_\\d{8}$'
    UNION ALL SELECT 'constraint', conrelid::regclass || ' ' || pg_get_constraintdef(oid) FROM pg_constraint
      WHERE connamespace = 'public'::regnamespace AND conrelid::regclass::text !~ '^changes_\\d{8}$'
    UNION ALL SELECT 'function', proname || prosrc FROM pg_proc WHERE pronamespace = 'public'::regnamespace
    UNION ALL SELECT 'trigger', tgrelid::regclass || ' ' || tgname FROM pg_trigger WHERE NOT tgisinternal AND tgparentid = 0
    UNION ALL SELECT 'migration', name FROM migrations ORDER BY 1, 2`,
  );
  return createHash('sha256').update(JSON.stringify(rows)).digest('hex');
}

/** Waits until no other session uses the database. PostgreSQL notices a dead client only after a delay. */
async function waitForOtherSessions(url) {
  while (
    (await sql(url, `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`))
      .length > 0
  )
    await pause(50);
}
