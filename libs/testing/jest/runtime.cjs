const asyncHooks = require('node:async_hooks');
const { statSync } = require('node:fs');
const { createRequire } = require('node:module');
const { join } = require('node:path');
const JestRuntime = require('jest-runtime').default;
const { sourceMaps } = require('../register-typescript.cjs');

const ROOT = join(__dirname, '..', '..', '..');
const DEPENDENCIES = join(ROOT, 'node_modules');
/** The part of jest that stores the tests of a file; it is loaded again for each file. */
const CIRCUS = /[\\/]jest-circus[\\/]build[\\/]/;

/** The storage in which every copy of jest-circus stores the test that is running. */
const runningTest = new asyncHooks.AsyncLocalStorage();

/** The modification time of every source that this process has loaded. */
const loaded = new Map();

/**
 * By default jest gives every test file its own module registry. So it loads Nest, TypeORM and the whole service for
 * each file, which takes seconds. Here Node loads each module once per process; for each test file, only this file and
 * jest-circus are loaded. The disadvantages: `jest.mock` and `jest.isolateModules` have no effect, and the next test
 * file sees the values that a module's variables have after the previous file.
 */
module.exports = class SharedRuntime extends JestRuntime {
  constructor(config, environment, ...rest) {
    super(config, environment, ...rest);
    this.forgetAllIfChanged();
  }

  requireModule(from, moduleName) {
    if (moduleName !== undefined) return createRequire(from)(moduleName);
    if (from === this._testPath) {
      globalThis.jest = this.jestGlobals.jestObjectFor(from);
      forget(from);
    }
    try {
      return require(from);
    } finally {
      if (from === this._testPath) this.rememberTimes();
    }
  }

  requireModuleOrMock(from, moduleName) {
    return this.requireModule(from, moduleName);
  }

  requireInternalModule(from, to) {
    const path = createRequire(from).resolve(to ?? from);
    return CIRCUS.test(path) ? circusOfFile(path) : require(path);
  }

  /** Does nothing: jest replaces `process.getBuiltinModule` only for its sandbox, which is not used here. */
  installGetBuiltinModule() {}

  getSourceMaps() {
    return sourceMaps;
  }

  /** If a source has changed, unloads all sources. In watch mode, sources may change while the process runs. */
  forgetAllIfChanged() {
    if ([...loaded].every(([path, time]) => changedAt(path) === time)) return;
    for (const path of loaded.keys()) forget(path);
    loaded.clear();
  }

  rememberTimes() {
    for (const path of Object.keys(require.cache)) {
      if (!path.startsWith(DEPENDENCIES) && path.endsWith('.ts') && !loaded.has(path))
        loaded.set(path, changedAt(path));
    }
  }
};

/**
 * Loads a new copy of jest-circus. All copies use one storage, because for each promise, Node 20 visits every
 * `AsyncLocalStorage` that was ever used in the process. With a new storage for each test file, later files would be
 * slower.
 */
function circusOfFile(path) {
  forget(path);
  const { AsyncLocalStorage } = asyncHooks;
  asyncHooks.AsyncLocalStorage = function SharedStorage() {
    return runningTest;
  };
  try {
    return require(path);
  } finally {
    asyncHooks.AsyncLocalStorage = AsyncLocalStorage;
  }
}

function changedAt(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs;
}

/**
 * Removes a module from Node's registry, and from the lists of its parents, because these lists would keep the module
 * in memory.
 */
function forget(path) {
  const module = require.cache[path];
  if (!module) return;
  delete require.cache[path];
  for (const parent of Object.values(require.cache)) {
    const index = parent.children.indexOf(module);
    if (index >= 0) parent.children.splice(index, 1);
  }
}
