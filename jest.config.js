const { SWC_OPTIONS } = require('./libs/testing/jest/swc-options.cjs');

/** Modules are loaded by Node, once for all test files of a process: see libs/testing/jest/runtime.cjs. */
module.exports = {
  rootDir: '.',
  testMatch: ['<rootDir>/{apps,libs,test}/**/*.spec.ts'],
  moduleFileExtensions: ['ts', 'js', 'mjs', 'cjs', 'json', 'node'],
  runtime: '<rootDir>/libs/testing/jest/runtime.cjs',
  testEnvironment: '<rootDir>/libs/testing/jest/environment.cjs',
  // For the set-up below alone, which jest loads by itself.
  transform: { '^.+\\.ts$': ['@swc/jest', { ...SWC_OPTIONS, sourceMaps: 'inline' }] },
  // How jest itself resolves imports, for `--findRelatedTests`.
  moduleNameMapper: {
    '^#(contract|platform|settlement|areas|web|conformance|testing)/(.*)$': '<rootDir>/libs/$1/$2',
    '^#apps/(.*)$': '<rootDir>/apps/$1',
    '^#migrations/(.*)$': '<rootDir>/migrations/$1',
  },
  setupFilesAfterEnv: ['<rootDir>/libs/testing/jest/each-file.ts'],
  globalSetup: '<rootDir>/libs/testing/jest-global-setup.ts',
  globalTeardown: '<rootDir>/libs/testing/jest-global-teardown.ts',
  testSequencer: '<rootDir>/libs/testing/jest/sequencer.cjs',
  reporters: [
    'default',
    '<rootDir>/libs/testing/jest/reporter.cjs',
    '<rootDir>/libs/testing/jest/documented-reporter.cjs',
  ],
  testTimeout: 90_000,
  // On two cores: tests wait for timers and other processes a third of the time.
  maxWorkers: 3,
};
