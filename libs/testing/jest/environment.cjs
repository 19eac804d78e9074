const { ModernFakeTimers } = require('@jest/fake-timers');
const { configureGlobal } = require('fast-check');
const { ModuleMocker } = require('jest-mock');
// Loaded first, because it adds matchers to the global object. The state of this object is recorded below.
require('expect');

/** jest-circus's state of a file's tests (its src/types.ts). */
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
 * A test file's environment is the process itself, without a sandbox, so modules loaded by one file are used by the
 * next one (see runtime.cjs). Changes of the global object and of the process's environment are reverted after each
 * file.
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
    this.seen = false;
  }

  /**
   * One failed test is enough to catch a seeded fault (scripts/mutants.mjs), so the other tests of the file are
   * skipped.
   */
  handleTestEvent({ name, test }) {
    if (!process.env.TEST_MUTANT) return;
    if (name === 'test_done' && test.errors.length > 0) this.seen = true;
    if (name === 'test_start' && this.seen) test.mode = 'skip';
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
    // Only symbols of jest: TypeORM and class-validator store metadata of the service's classes on the global object
    // too.
    for (const key of Object.getOwnPropertySymbols(globalThis))
      if (JEST_STATE.has(key.description)) delete globalThis[key];
  }

  getVmContext() {
    return null;
  }
};
