/**
 * A module with which Node runs the TypeScript sources: in the tests, in the processes and threads that tests start
 * (`node --require`), and in scripts. The output of swc is cached under node_modules/.cache.
 */
const { createHash } = require('node:crypto');
const fs = require('node:fs');
const { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } = fs;
const Module = require('node:module');
const { join, relative } = require('node:path');
const { threadId } = require('node:worker_threads');
const { SWC_OPTIONS } = require('./jest/swc-options.cjs');

const ROOT = join(__dirname, '..', '..');
const CACHE = join(ROOT, 'node_modules', '.cache', 'events-tests');
const COMPILER = JSON.stringify([require('@swc/core/package.json').version, SWC_OPTIONS]);
/** Loads swc only for a source that is not in the cache, because loading swc takes 40 ms of processor time. */
const transform = (source, options) => require('@swc/core').transformSync(source, options);
/**
 * The source folder for each prefix such as `#contract/`, taken from the condition `events-source` of the `imports` in
 * package.json.
 */
const FOLDERS = new Map(
  Object.entries(require(join(ROOT, 'package.json')).imports).map(([name, targets]) => [
    name.slice(0, -1),
    targets['events-source'],
  ]),
);

/** A fault that scripts/mutants.mjs seeds, to see whether the tests detect it. */
const MUTANT = process.env.TEST_MUTANT ? JSON.parse(process.env.TEST_MUTANT) : null;
const FAULTY_FILE = MUTANT && join(ROOT, MUTANT.file);

// If the seeded fault is in a file that is read as text, such as SQL, reading the file returns the faulty text.
if (FAULTY_FILE && !FAULTY_FILE.endsWith('.ts'))
  fs.readFileSync = (path, ...rest) =>
    path === FAULTY_FILE
      ? readFileSync(path, 'utf8').replace(MUTANT.find, () => MUTANT.replace)
      : readFileSync(path, ...rest);

/** For each loaded source, the path of the file with its source map. */
const sourceMaps = new Map();

mkdirSync(CACHE, { recursive: true });

Module._extensions['.ts'] = (module, filename) => module._compile(compile(filename), filename);

const resolve = Module._resolveFilename;
Module._resolveFilename = function resolveSource(request, parent, ...rest) {
  const folder = request.startsWith('#') && FOLDERS.get(request.slice(0, request.indexOf('/') + 1));
  if (folder) return join(ROOT, folder.replace('*', request.slice(request.indexOf('/') + 1)));
  try {
    return resolve.call(this, request, parent, ...rest);
  } catch (error) {
    if (!request.startsWith('.')) throw error;
    return resolve.call(this, `${request}.ts`, parent, ...rest);
  }
};

function compile(filename) {
  const source = readFileSync(filename, 'utf8');
  // A seeded fault (scripts/mutants.mjs) is applied in memory only. It is never written to the sources or the cache.
  if (filename === FAULTY_FILE)
    return transform(
      source.replace(MUTANT.find, () => MUTANT.replace),
      { ...SWC_OPTIONS, filename },
    ).code;
  sourceMaps.set(filename, cachePath(filename, '.map'));
  const fingerprint = `//${createHash('sha1').update(COMPILER).update(source).digest('hex')}\n`;
  const path = cachePath(filename, '.js');
  const cached = existsSync(path) ? readFileSync(path, 'utf8') : '';
  if (cached.endsWith(fingerprint)) return cached;
  const { code, map } = transform(source, { ...SWC_OPTIONS, sourceMaps: true, filename });
  writeAtomically(cachePath(filename, '.map'), map);
  writeAtomically(path, `${code}\n${fingerprint}`);
  return code;
}

function cachePath(filename, ending) {
  return join(CACHE, `${relative(ROOT, filename).replaceAll(/[\\/]/g, '!')}${ending}`);
}

/** Writes the file completely or not at all, because several processes write here. */
function writeAtomically(path, text) {
  const draft = `${path}.${process.pid}.${threadId}`;
  writeFileSync(draft, text);
  renameSync(draft, path);
}

module.exports = { sourceMaps };
