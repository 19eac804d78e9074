const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');
// Their matchers live on the global object once they are loaded: before anything is remembered below.
require('expect');

/**
 * A test file's environment is the process itself: no sandbox, so what one file has loaded the next one uses (see
 * runtime.cjs). What a file leaves on the global object and in the process's environment is taken away after it.
 */
module.exports = class SharedEnvironment {
  constructor({ projectConfig }) {
    this.global = globalThis;
    this.variables = { ...process.env };
    this.exit = process.exit;
    this.before = new Map(Reflect.ownKeys(globalThis).map((key) => [key, Object.getOwnPropertyDescriptor(globalThis, key)]));
    this.moduleMocker = new ModuleMocker(globalThis);
    this.fakeTimers = null;
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  async setup() {}

  async teardown() {
    this.fakeTimersModern.dispose();
    process.exit = this.exit;
    for (const name of Object.keys(process.env)) if (!(name in this.variables)) delete process.env[name];
    Object.assign(process.env, this.variables);
    for (const key of Reflect.ownKeys(globalThis)) {
      const before = this.before.get(key);
      if (!before) delete globalThis[key];
      else if ('value' in before && before.configurable && globalThis[key] !== before.value) Object.defineProperty(globalThis, key, before);
    }
  }

  getVmContext() {
    return null;
  }
};
