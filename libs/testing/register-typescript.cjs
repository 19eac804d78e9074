/** Lets a plain `node --conditions=source --require` run the sources: for tests that need processes or threads of their own. */
const { readFileSync } = require('node:fs');
const Module = require('node:module');
const { transformSync } = require('@swc/core');
const [, options] = require('../../jest.config.js').transform['^.+\\.(ts|js|mjs)$'];

Module._extensions['.ts'] = (module, filename) => {
  const { code } = transformSync(readFileSync(filename, 'utf8'), { ...options, sourceMaps: 'inline', filename });
  module._compile(code, filename);
};

const resolve = Module._resolveFilename;
Module._resolveFilename = function resolveSource(request, parent, ...rest) {
  try {
    return resolve.call(this, request, parent, ...rest);
  } catch (error) {
    if (!request.startsWith('.')) throw error;
    return resolve.call(this, `${request}.ts`, parent, ...rest);
  }
};
