const { readFileSync } = require('node:fs');
const { join } = require('node:path');
require('../register-typescript.cjs');
const { CODES_FOLDER_VARIABLE, codesNotReceived } = require('../documented-codes.ts');

const DOCUMENT = join(__dirname, '..', '..', '..', 'docs', 'openapi.json');

/**
 * docs/openapi.json declares error codes for each operation. At the end of a full run in which no test failed, this
 * reporter checks that the tests received every declared code of every operation at least once. If a code is missing,
 * the run fails.
 */
module.exports = class DeclaredCodesReporter {
  constructor({ testNamePattern, testPathPatterns, onlyChanged, findRelatedTests, shard, nonFlagArgs = [] }) {
    const isSelection =
      testPathPatterns?.patterns?.length > 0 ||
      nonFlagArgs.length > 0 ||
      Boolean(testNamePattern || onlyChanged || findRelatedTests || shard);
    this.isFullRun = !isSelection;
    this.unseen = [];
  }

  onRunComplete(_contexts, { success }) {
    const folder = process.env[CODES_FOLDER_VARIABLE];
    if (!this.isFullRun || !success || folder === undefined) return;
    this.unseen = codesNotReceived(JSON.parse(readFileSync(DOCUMENT, 'utf8')), folder);
    for (const line of this.unseen)
      process.stderr.write(`Declared in docs/openapi.json, but received by no test: ${line}\n`);
  }

  getLastError() {
    return this.unseen.length > 0
      ? new Error(`${this.unseen.length} declared codes were received by no test.`)
      : undefined;
  }
};
