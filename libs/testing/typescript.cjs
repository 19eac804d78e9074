/**
 * `node -C source -r libs/testing/typescript.cjs file.ts`: runs TypeScript as it stands, for tests that need a process
 * of their own, to kill it. The condition leads `#platform/…` to the sources.
 */
const { readFileSync } = require('node:fs');
const { transformSync } = require('@swc/core');

require.extensions['.ts'] = (module, filename) => {
  const { code } = transformSync(readFileSync(filename, 'utf8'), {
    filename,
    jsc: {
      target: 'es2023',
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
    },
    module: { type: 'commonjs', ignoreDynamic: true },
  });
  module._compile(code, filename);
};
