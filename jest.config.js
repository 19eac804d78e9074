const { SWC_OPTIONS } = require('./libs/testing/jest/swc-options.cjs');

/** Node (not jest) loads each module once for all test files of a process (libs/testing/jest/runtime.cjs). */
module.exports = {
  rootDir: '.',
  testMatch: ['<rootDir>/{apps,libs,test}/**/*.spec.ts'],
  moduleFileExtensions: ['ts', 'js', 'mjs', 'cjs', 'json', 'node'],
  runtime: '<rootDir>/libs/testing/jest/runtime.cjs',
  testEnvironment: '<rootDir>/libs/testing/jest/environment.cjs',
  // jest itself loads and transforms only the files of `globalSetup` and `globalTeardown`.
  transform: { '^.+\\.ts$': ['@swc/jest', { ...SWC_OPTIONS, sourceMaps: 'inline' }] },
  // jest itself resolves imports only for `--findRelatedTests`.
  moduleNameMapper: {
    '^#(contract|platform|settlement|areas|web|conformance|testing)/(.*)$': '<rootDir>/libs/$1/$2',
    '^#apps/(.*)$': '<rootDir>/apps/$1',
    '^#migrations/(.*)$': '<rootDir>/migrations/$1',
  },
  setupFilesAfterEnv: ['<rootDir>/libs/testing/jest/each-file.ts'],
  globalSetup: '<rootDir>/libs/testing/jest-global-setup.ts',
  globalTeardown: '<rootDir>/libs/testing/jest-global-teardown.ts',
  reporters: [
    'default',
    '<rootDir>/libs/testing/jest/reporter.cjs',
    '<rootDir>/libs/testing/jest/documented-reporter.cjs',
    '<rootDir>/libs/testing/jest/long-files-reporter.cjs',
  ],
  testTimeout: 90_000,
  // There are more workers than the two cores of the build machine, because tests spend a third of the time waiting for
  // timers and other processes.
  maxWorkers: 4,
};
