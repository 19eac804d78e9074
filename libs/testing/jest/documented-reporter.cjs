const { readFileSync } = require('node:fs');
const { join } = require('node:path');
require('../register-typescript.cjs');
const { SEEN_FOLDER, unseenCodes } = require('../documented-codes.ts');

const DOCUMENT = join(__dirname, '..', '..', '..', 'docs', 'openapi.json');

/**
 * At the end of a run of all tests: every code that docs/openapi.json declares has been answered to some test by the operation that
 * declares it. One that nobody ever saw is a promise about nothing, and fails the run.
 */
module.exports = class EveryDeclaredCode {
  constructor({ testNamePattern, testPathPatterns, onlyChanged, findRelatedTests, shard, nonFlagArgs = [] }) {
    const chosen =
      testPathPatterns?.patterns?.length > 0 ||
      nonFlagArgs.length > 0 ||
      Boolean(testNamePattern || onlyChanged || findRelatedTests || shard);
    this.whole = !chosen;
    this.unseen = [];
  }

  onRunComplete(_contexts, { success }) {
    const folder = process.env[SEEN_FOLDER];
    if (!this.whole || !success || folder === undefined) return;
    this.unseen = unseenCodes(JSON.parse(readFileSync(DOCUMENT, 'utf8')), folder);
    for (const line of this.unseen)
      process.stderr.write(`Declared in docs/openapi.json, and answered to no test: ${line}\n`);
  }

  getLastError() {
    return this.unseen.length > 0
      ? new Error(`${this.unseen.length} declared codes were answered to no test.`)
      : undefined;
  }
};
