/** Everything is transformed to CommonJS, dependencies included: Nest is published as ES modules only. */
module.exports = {
  rootDir: '.',
  testEnvironment: 'node',
  testMatch: ['<rootDir>/{apps,libs,test}/**/*.spec.ts'],
  moduleFileExtensions: ['ts', 'js', 'mjs', 'cjs', 'json', 'node'],
  extensionsToTreatAsEsm: [],
  transform: {
    '^.+\\.(ts|js|mjs)$': ['@swc/jest', {
      jsc: {
        target: 'es2023',
        parser: { syntax: 'typescript', decorators: true },
        transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
        keepClassNames: true,
      },
      module: { type: 'commonjs' },
      sourceMaps: 'inline',
    }],
  },
  transformIgnorePatterns: [],
  moduleNameMapper: {
    '^#(contract|platform|settlement|areas|web|testing)/(.*)$': '<rootDir>/libs/$1/$2',
    '^#apps/(.*)$': '<rootDir>/apps/$1',
    '^#migrations/(.*)$': '<rootDir>/migrations/$1',
  },
  globalSetup: '<rootDir>/libs/testing/jest-global-setup.ts',
  globalTeardown: '<rootDir>/libs/testing/jest-global-teardown.ts',
  testTimeout: 90_000,
  maxWorkers: 2,
};
