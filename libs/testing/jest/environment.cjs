const { ModernFakeTimers } = require('@jest/fake-timers');
const { configureGlobal } = require('fast-check');
const { ModuleMocker } = require('jest-mock');
// `expect` adds matchers to the global object, so it is loaded before the constructor records the global object.
require('expect');

/** Symbols under which jest-circus stores the state of a file's tests (src/types.ts of jest-circus). */
const JEST_STATE = new Set([
  'JEST_STATE_SYMBOL',
  'EVENT_HANDLERS',
  'RETRY_TIMES',
  'RETRY_IMMEDIATELY',
  'WAIT_BEFORE_RETRY',
  'LOG_ERRORS_BEFORE_RETRY',
  'TEST_TIMEOUT_SYMBOL',
]);

/**
 * A test file's environment is the process itself, without a sandbox, so a file uses the modules that earlier files
 * have loaded (see runtime.cjs). After each file, these are restored: changed properties of the global object, the
 * environment variables of the process, and `process.exit`. New properties of the global object stay, unless they are
 * symbols of jest.
 */
module.exports = class SharedEnvironment {
  constructor({ globalConfig, projectConfig }) {
    // One seed for the order of the tests and for random data: `npx jest --randomize --seed=7` repeats a run.
    configureGlobal({ seed: globalConfig.seed });
    this.global = globalThis;
    this.variables = { ...process.env };
    this.exit = process.exit;
    this.before = new Map(
      Reflect.ownKeys(globalThis).map((key) => [key, Object.getOwnPropertyDescriptor(globalThis, key)]),
    );
    this.moduleMocker = new ModuleMocker(globalThis);
    this.fakeTimers = null;
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
    this.hasFailed = false;
  }

  /**
   * In a run with a seeded fault (scripts/mutants.mjs), skips the other tests of a file after the first failed test,
   * because one failed test detects the fault.
   */
  handleTestEvent({ name, test }) {
    if (!process.env.TEST_MUTANT) return;
    if (name === 'test_done' && test.errors.length > 0) this.hasFailed = true;
    if (name === 'test_start' && this.hasFailed) test.mode = 'skip';
  }

  async setup() {}

  async teardown() {
    this.fakeTimersModern.dispose();
    process.exit = this.exit;
    for (const name of Object.keys(process.env)) if (!(name in this.variables)) delete process.env[name];
    Object.assign(process.env, this.variables);
    for (const [key, before] of this.before) {
      if ('value' in before && before.configurable && globalThis[key] !== before.value)
        Object.defineProperty(globalThis, key, before);
    }
    // Only the symbols of jest are deleted, because TypeORM and class-validator also store metadata of the service's
    // classes on the global object.
    for (const key of Object.getOwnPropertySymbols(globalThis))
      if (JEST_STATE.has(key.description)) delete globalThis[key];
  }

  getVmContext() {
    return null;
  }
};
