// Builds into dist/ if dist/ is missing, or if the sources have changed since the last build. With `--force`, always
// builds.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join, relative } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const ROOT = join(import.meta.dirname, '..');
const SOURCES = ['apps', 'libs', 'migrations'];
const SETTINGS = ['tsconfig.json', 'tsconfig.build.json', 'nest-cli.json', 'package.json', 'package-lock.json'];
const DIST = join(ROOT, 'dist');
const STAMP = join(DIST, '.stamp');
const CACHE = join(ROOT, '.cache');
/** Temporary folders that are older than this number of milliseconds belong to killed builds. */
const ABANDONED_MS = 3_600_000;
/** Maximum number of milliseconds to wait for earlier builds. */
const MAX_WAIT_MS = 300_000;

/**
 * Makes sure that dist/ matches the sources. Several processes may build at the same time, because each build has
 * separate temporary folders. Output is written to stderr.
 */
export async function ensureBuilt({ force = false } = {}) {
  if (!force && isFresh()) return;
  if (!existsSync(join(ROOT, 'node_modules', '@nestjs', 'cli'))) {
    // In an image without the compiler, dist/ is used without a check.
    if (existsSync(DIST)) return;
    throw new Error('There is no build, and the compiler is not installed. Run npm ci first.');
  }
  // The names of both folders contain the start of the build (for `sweep`) and the id of the process (for
  // `waitForEarlierBuilds`).
  const id = `${Date.now()}-${process.pid}`;
  const work = join(CACHE, `build-${id}`);
  // The compiled files are in a folder that is as deep as dist/, because source maps contain relative paths.
  const draft = join(ROOT, `.dist-${id}`);
  mkdirSync(work, { recursive: true });
  sweep();
  try {
    await waitForEarlierBuilds(basename(work));
    // Another process may have built while this process waited.
    if (force || !isFresh()) await build(work, draft, force);
  } finally {
    for (const folder of [work, draft]) rmSync(folder, { recursive: true, force: true });
  }
}

/** Waits until earlier builds have ended, but not forever. Two builds at the same time take at least twice as long. */
async function waitForEarlierBuilds(own) {
  const end = Date.now() + MAX_WAIT_MS;
  while (Date.now() < end && readdirSync(CACHE).some((name) => name < own && belongsToRunningBuild(name)))
    await pause(200);
}

function belongsToRunningBuild(name) {
  const pid = Number(/^build-\d+-(\d+)$/.exec(name)?.[1]);
  if (!pid || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function isFresh(sourcesDigest = digest()) {
  try {
    return readFileSync(STAMP, 'utf8') === sourcesDigest;
  } catch {
    return false;
  }
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

/** Packages that are not part of the server (scripts/sdk.mjs, scripts/conformance.mjs), and the tools of the tests. */
const OTHER_PACKAGES = ['libs/sdk', 'libs/conformance', 'libs/testing'].map((folder) => join(ROOT, folder));

/** Tests and Markdown files are not built. */
function isSource(name) {
  return !name.endsWith('.spec.ts') && !name.endsWith('.md');
}

/**
 * Compiles into the folder `draft`, and then moves this folder to dist/, so that a starting server never sees an
 * incomplete build. `work` is a folder for other files.
 */
async function build(work, draft, force) {
  console.error('Building …');
  const sourcesDigest = digest();
  const [config, typescript] = ['nest-cli.json', 'tsconfig.json'].map((name) => join(work, name));
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
  // Another process may have built the same sources in the meantime, and may already be running the result.
  for (let attempt = 1; force || !isFresh(sourcesDigest); attempt++) {
    moved(DIST, join(work, `old-${attempt}`), ['ENOENT']);
    if (moved(draft, DIST, ['ENOTEMPTY', 'EEXIST'])) break;
  }
}

/**
 * Renames a folder. Returns false if this fails with one of the error codes `errors`: another process was faster, or
 * the folder does not exist.
 */
function moved(from, to, errors) {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (!errors.includes(error.code)) throw error;
    return false;
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

/** Deletes the temporary folders of killed builds. */
function sweep() {
  for (const [folder, pattern] of [
    [CACHE, /^build-(\d+)/],
    [ROOT, /^\.dist-(\d+)/],
  ]) {
    for (const name of readdirSync(folder)) {
      const start = Number(pattern.exec(name)?.[1]);
      if (Date.now() - start > ABANDONED_MS) rmSync(join(folder, name), { recursive: true, force: true });
    }
  }
}

if (process.argv[1] === import.meta.filename) {
  await ensureBuilt({ force: process.argv.includes('--force') }).catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}
