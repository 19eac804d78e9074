// Builds into dist/ if dist/ is missing, or if the sources have changed since the last build. With `--force`, always
// builds.
import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const ROOT = resolve(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '..');
const SOURCES = ['apps', 'libs', 'migrations'];
const SETTINGS = ['tsconfig.json', 'tsconfig.build.json', 'nest-cli.json', 'package.json', 'package-lock.json'];
const DIST = join(ROOT, 'dist');
const STAMP = join(DIST, '.stamp');
const CACHE = join(ROOT, '.cache');
const LOCK = join(CACHE, 'build.lock');

/**
 * Makes sure that dist/ matches the sources. While one process builds, other processes wait. Output is written to
 * stderr.
 */
export async function ensureBuilt({ force = false } = {}) {
  if (!force && isFresh()) return;
  if (!existsSync(join(ROOT, 'node_modules', '@nestjs', 'cli'))) {
    // In an image without the compiler, dist/ is used without a check.
    if (existsSync(DIST)) return;
    throw new Error('There is no build, and the compiler is not installed. Run npm ci first.');
  }
  const unlock = await lock();
  try {
    // Another process may have built while this process waited.
    if (force || !isFresh()) await build();
  } finally {
    unlock();
  }
}

function isFresh() {
  return existsSync(STAMP) && readFileSync(STAMP, 'utf8') === digest();
}

function digest() {
  const hash = createHash('sha256');
  for (const file of [
    ...SOURCES.flatMap((folder) => filesIn(join(ROOT, folder))),
    ...SETTINGS.map((name) => join(ROOT, name)),
  ]) {
    if (existsSync(file))
      hash
        .update(`${relative(ROOT, file)}\0`)
        .update(readFileSync(file))
        .update('\0');
  }
  return hash.digest('hex');
}

function filesIn(folder) {
  if (OTHER_PACKAGES.includes(folder) || !existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) =>
      entry.isDirectory() ? filesIn(join(folder, entry.name)) : isSource(entry.name) ? [join(folder, entry.name)] : [],
    );
}

/** Packages that are not part of the server (scripts/sdk.mjs, scripts/conformance.mjs). */
const OTHER_PACKAGES = [join(ROOT, 'libs/sdk'), join(ROOT, 'libs/conformance')];

/** Tests and Markdown files are not built. */
function isSource(name) {
  return !name.endsWith('.spec.ts') && !name.endsWith('.md');
}

/**
 * Compiles into a temporary folder, and then moves the result to dist/, so that a starting server never sees an
 * incomplete build.
 */
async function build() {
  console.error('Building …');
  const sourcesDigest = digest();
  const work = join(CACHE, `build-${process.pid}`);
  const [config, typescript, old] = ['nest-cli.json', 'tsconfig.json', 'old'].map((name) => join(work, name));
  // The temporary folder is as deep as dist/, because source maps contain relative paths.
  const draft = join(ROOT, `.dist-${process.pid}`);
  try {
    mkdirSync(work, { recursive: true });
    const nest = JSON.parse(readFileSync(join(ROOT, 'nest-cli.json'), 'utf8'));
    nest.compilerOptions.tsConfigPath = relative(ROOT, typescript);
    writeFileSync(config, JSON.stringify(nest));
    writeFileSync(
      typescript,
      JSON.stringify({ extends: '../../tsconfig.build.json', compilerOptions: { outDir: draft } }),
    );
    await run([
      createRequire(import.meta.url).resolve('@nestjs/cli/bin/nest.js'),
      'build',
      '--config',
      relative(ROOT, config),
    ]);
    for (const file of SOURCES.flatMap((folder) => filesIn(join(ROOT, folder))).filter((path) =>
      /\.(sql|tsv)$/.test(path),
    ))
      cpSync(file, join(draft, relative(ROOT, file)));
    writeFileSync(join(draft, '.stamp'), sourcesDigest);
    if (existsSync(DIST)) renameSync(DIST, old);
    renameSync(draft, DIST);
  } finally {
    for (const folder of [work, draft]) rmSync(folder, { recursive: true, force: true });
  }
}

function run(args) {
  return new Promise((done, failed) => {
    // The compiler's output goes to stderr, because another program may read stdout.
    const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 2, 2] });
    const stop = () => child.kill();
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, stop);
    child.on('error', failed);
    child.on('exit', (code) => {
      for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, stop);
      if (code === 0) done();
      else failed(new Error('The build failed.'));
    });
  });
}

/**
 * Only one process builds at a time. The lock contains the process id of its owner, so that the lock of a killed build
 * is recognized.
 */
async function lock() {
  mkdirSync(CACHE, { recursive: true });
  const token = `${process.pid} ${randomBytes(4).toString('hex')}`;
  const tokenFile = `${LOCK}.${token.replace(' ', '-')}`;
  writeFileSync(tokenFile, token);
  try {
    for (;;) {
      try {
        // The age of the lock begins now, not when this process began to wait.
        utimesSync(tokenFile, new Date(), new Date());
        linkSync(tokenFile, LOCK);
        sweep();
        // Another process may have regarded this lock as abandoned and taken it. In this case, the lock is not removed.
        return () => readLock() === token && rmSync(LOCK, { force: true });
      } catch (error) {
        if (error.code !== 'EEXIST') throw error;
      }
      if (ownerIsDead(LOCK)) removeDeadLock(tokenFile);
      await new Promise((resume) => setTimeout(resume, 200));
    }
  } finally {
    rmSync(tokenFile, { force: true });
  }
}

/** Deletes temporary files of killed builds. Only the build that holds the lock may do this. */
function sweep() {
  for (const [folder, prefix] of [
    [CACHE, 'build-'],
    [ROOT, '.dist-'],
  ]) {
    for (const name of readdirSync(folder).filter((entry) => entry.startsWith(prefix)))
      rmSync(join(folder, name), { recursive: true, force: true });
  }
}

/**
 * Removes the lock of a process that has ended. Only one process at a time may do this. Otherwise a slow process would
 * remove the lock that a quicker process has taken in the meantime.
 */
function removeDeadLock(tokenFile) {
  const removal = `${LOCK}.removal`;
  try {
    linkSync(tokenFile, removal);
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    if (ownerIsDead(removal)) rmSync(removal, { force: true });
    return;
  }
  if (ownerIsDead(LOCK)) rmSync(LOCK, { force: true });
  rmSync(removal, { force: true });
}

function readLock() {
  try {
    return readFileSync(LOCK, 'utf8');
  } catch {
    return null;
  }
}

function ownerIsDead(lockFile) {
  try {
    const owner = parseInt(readFileSync(lockFile, 'utf8'), 10);
    // A lock that is older than ten minutes is abandoned, even if its process id exists: ids are reused, and no build
    // takes this long.
    if (Date.now() - statSync(lockFile).mtimeMs > 600_000) return true;
    process.kill(owner, 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(resolve(process.argv[1])).href) {
  await ensureBuilt({ force: process.argv.includes('--force') }).catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}
