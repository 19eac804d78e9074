/**
 * How swc compiles the sources for tests: to CommonJS, with decorators and the metadata that Nest needs for injection.
 */
const SWC_OPTIONS = {
  jsc: {
    target: 'es2023',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
    keepClassNames: true,
  },
  module: { type: 'commonjs' },
};

module.exports = { SWC_OPTIONS };
