/** The name of a skipped set of tests: libs/testing/requirements.ts. */
const NEEDS = / \[needs (.+)\]$/;

/**
 * Reports in one line at the end which tests were skipped on this machine, and how to repeat the order. With
 * TESTS_COMPLETE=1 these tests fail the run. Every other skipped test fails the run too, unless tests were selected by
 * name.
 */
module.exports = class WhatWasLeftOut {
  constructor({ seed, randomize, testNamePattern }) {
    this.seed = randomize ? seed : null;
    this.chosenByName = Boolean(testNamePattern);
    this.missing = new Map();
    this.skipped = [];
  }

  onTestResult({ path }, { testResults }) {
    for (const { status, ancestorTitles, fullName } of testResults) {
      if (status !== 'pending') continue;
      const need = ancestorTitles.map((title) => NEEDS.exec(title)?.[1]).find(Boolean);
      if (need) this.missing.set(need, [...(this.missing.get(need) ?? []), ancestorTitles[0].replace(NEEDS, '')]);
      else if (!this.chosenByName) this.skipped.push(`${path}: ${fullName}`);
    }
  }

  onRunComplete() {
    const lines = [...this.missing].map(([need, sets]) => `no ${need} (${[...new Set(sets)].join('; ')})`);
    if (lines.length > 0) process.stderr.write(`Left out on this machine: ${lines.join(', ')}.\n`);
    if (this.seed !== null) process.stderr.write(`Order of the tests: --randomize --seed=${this.seed}\n`);
    if (process.env.TESTS_COMPLETE !== '1') return;
    for (const test of this.skipped) process.stderr.write(`Skipped: ${test}\n`);
    this.incomplete = lines.length > 0 || this.skipped.length > 0;
  }

  getLastError() {
    return this.incomplete ? new Error('TESTS_COMPLETE=1, and not every test ran.') : undefined;
  }
};
