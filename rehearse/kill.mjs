// Backup, restore, a change of the secret, an erasure and migrations are killed (kill -9) at 20 random moments each: nothing is half done, and a second run finishes.
//   npm run rehearse -- kill [--times 20] [--only backup,restore,rotate,erase,migrate]
import { createHash } from 'node:crypto';
import { readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { anotherDatabase, cli, environment, openDatabase, populate, sql } from './lib/installation.mjs';
import { folder, rehearse, ROOT, run } from './lib/programs.mjs';

const {
  values: { times, only },
} = parseArgs({
  options: {
    times: { type: 'string', default: '20' },
    only: { type: 'string', default: 'backup,restore,rotate,erase,migrate' },
  },
});
const TIMES = Number(times);
const sharp = createRequire(import.meta.url)('sharp');

await rehearse('kill', 45, async () => {
  const source = await openDatabase();
  // The secret is in DATA_DIR, where a rotation has to change two files consistently.
  const env = withoutSecret(environment(source, folder('data')));
  await populate(env, { passwords: true, avatar: await picture() });
  const of = {
    backup: () => backups(env),
    restore: () => restores(source, env),
    rotate: () => rotations(source, env),
    erase: () => erasures(source, env),
    migrate: () => migrations(source),
  };
  const figures = {};
  for (const name of only.split(',')) figures[name] = await of[name]();
  return {
    held: Object.values(figures).every(({ half, finished, killed }) => half === 0 && finished === TIMES && killed > 0),
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
 * Measures the command, then kills one run in each of several parts of that time. `check` verifies the partial state,
 * `again` finishes.
 */
async function killed(name, { prepare = () => ({}), command, check, again }) {
  const took = await timed(async () => command(await prepare('whole')).ended);
  const count = { killed: 0, half: 0, finished: 0, whole_ms: Math.round(took) };
  for (let n = 0; n < TIMES; n++) {
    const place = await prepare(n);
    const child = command(place);
    await Promise.race([pause(((n + Math.random()) / TIMES) * took), child.ended]);
    if (!child.isOver()) count.killed++;
    await child.stop('SIGKILL');
    const half = await check(place);
    if (half) {
      count.half++;
      console.error(`${name}, ${n + 1}: ${half}`);
    }
    const unfinished = await again(place).then(
      () => null,
      (error) => error.message,
    );
    if (unfinished === null) count.finished++;
    else console.error(`${name}, ${n + 1}, the second run: ${unfinished}`);
  }
  return count;
}

async function timed(work) {
  const since = performance.now();
  await work();
  return performance.now() - since;
}

function cliProcess(env, args) {
  return run(process.execPath, [join(ROOT, 'dist/apps/cli/main.js'), ...args], { env, quiet: true });
}

/** Whatever has the name of an archive is a whole one. */
function backups(env) {
  const place = folder('backups');
  const archives = () => readdirSync(place).filter((name) => name.endsWith('.tar'));
  return killed('backup', {
    command: () => cliProcess(env, ['backup', place]),
    check: async () => {
      for (const name of archives())
        if ((await run('tar', ['-tf', join(place, name)], { quiet: true }).ended) !== 0) return `${name} is not whole`;
      return null;
    },
    again: async () => {
      const { file, rows } = await cli(env, ['backup', place]);
      if (rows === 0 || readdirSync(place).some((name) => name.startsWith('.')))
        throw new Error(`${file} is not all there is`);
    },
  });
}

/** All accounts are there, or none, and then the same command brings them. */
async function restores(source, env) {
  const place = folder('archive');
  await cli(env, ['backup', place]);
  const accounts = async (url) => {
    const [{ known }] = await sql(url, `SELECT to_regclass('users') IS NOT NULL AS known`);
    return known ? Number((await sql(url, 'SELECT count(*) AS n FROM users'))[0].n) : 0;
  };
  const all = await accounts(source);
  return killed('restore', {
    prepare: async (n) =>
      withoutSecret(
        environment(await anotherDatabase(source, `rehearsal_restored_${n}_${process.pid}`), folder('restored')),
      ),
    command: (target) => cliProcess(target, ['restore', place]),
    check: async ({ DATABASE_URL: url }) => {
      await untilNobodyIsAtWork(url);
      const there = await accounts(url);
      return there === 0 || there === all ? null : `${there} of ${all} accounts`;
    },
    again: async (target) => {
      if ((await accounts(target.DATABASE_URL)) === 0) await cli(target, ['restore', place]);
      const { secret } = await cli(target, ['doctor']);
      if (!secret.ok || (await accounts(target.DATABASE_URL)) !== all)
        throw new Error(`not restored: ${secret.detail}`);
    },
  });
}

/** The secret that is there opens everything: the former or the next one. */
function rotations(source, env) {
  return killed('rotate', {
    command: () => cliProcess(env, ['secret', 'rotate']),
    check: async () => {
      await untilNobodyIsAtWork(source);
      return null;
    },
    again: async () => {
      await cli(env, ['secret', 'rotate']);
      const { secret } = await cli(env, ['doctor']);
      if (!secret.ok) throw new Error(secret.detail);
    },
  });
}

/** Everything of an account is there, or nothing; in the end neither that nor its picture is. */
function erasures(source, env) {
  const TRACES = `
    SELECT (SELECT count(*)::int FROM users WHERE slug = $2) AS account, (SELECT count(*)::int FROM tokens WHERE user_id = $1) AS tokens,
           (SELECT count(*)::int FROM all_events WHERE organizer_id = $1) AS events, (SELECT count(*)::int FROM participations WHERE user_id = $1) AS joined`;
  const traces = async ({ id, slug }) => Object.values((await sql(source, TRACES, [id, slug]))[0]);
  return killed('erase', {
    prepare: async (n) => {
      const slug = `person-${n === 'whole' ? TIMES : n}`;
      const [{ id, avatar_key: avatar }] = await sql(source, 'SELECT id, avatar_key FROM users WHERE slug = $1', [
        slug,
      ]);
      return { id, slug, avatar, before: await traces({ id, slug }) };
    },
    command: ({ slug }) => cliProcess(env, ['user', 'erase', slug]),
    check: async (person) => {
      await untilNobodyIsAtWork(source);
      const left = await traces(person);
      return left.every((n) => n === 0) || left.join() === person.before.join()
        ? null
        : `${person.slug} has left ${left.join()} of ${person.before.join()}`;
    },
    again: async (person) => {
      if ((await traces(person))[0] > 0) await cli(env, ['user', 'erase', person.slug]);
      await cli(env, ['jobs', 'run', 'media-sweep']);
      const left = await traces(person);
      if (left.some((n) => n > 0)) throw new Error(`${person.slug} has left ${left.join()}`);
      if (readdirSync(env.DATA_DIR, { recursive: true }).some((file) => file.includes(person.avatar.split('.')[0])))
        throw new Error(`the picture of ${person.slug} is there`);
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

/** Each migration is applied or not, and in the end the tables equal those of an uninterrupted run. */
async function migrations(source) {
  const wanted = await shape(source);
  return killed('migrate', {
    prepare: async (n) =>
      withoutSecret(
        environment(await anotherDatabase(source, `rehearsal_migrated_${n}_${process.pid}`), folder('migrated')),
      ),
    command: (target) => cliProcess(target, ['migrate']),
    check: async ({ DATABASE_URL: url }) => {
      await untilNobodyIsAtWork(url);
      return null;
    },
    again: async (target) => {
      await cli(target, ['migrate']);
      if ((await shape(target.DATABASE_URL)) !== wanted) throw new Error('the tables are others');
    },
  });
}

/** A digest of all tables, columns, indexes, constraints, functions and triggers, and of the applied migrations. */
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

/** PostgreSQL notices a while later that a client has died. */
async function untilNobodyIsAtWork(url) {
  while (
    (await sql(url, `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`))
      .length > 0
  )
    await pause(50);
}
