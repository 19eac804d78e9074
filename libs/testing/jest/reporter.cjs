/**
 * Matches the title of a group of tests whose requirement is not met on this machine (libs/testing/requirements.ts).
 */
const NEEDS = / \[needs (.+)\]$/;

/**
 * After a run, prints which tests were skipped because their requirement is not met and, with --randomize, the seed of
 * the tests' order. With TESTS_COMPLETE=1, also prints the other skipped tests, and each skipped test makes the run
 * fail. With --testNamePattern, only tests whose requirement is not met count as skipped.
 */
module.exports = class SkippedTestsReporter {
  constructor({ seed, randomize, testNamePattern }) {
    this.seed = randomize ? seed : null;
    this.selectedByName = Boolean(testNamePattern);
    this.missing = new Map();
    this.skipped = [];
  }

  onTestResult({ path }, { testResults }) {
    for (const { status, ancestorTitles, fullName } of testResults) {
      if (status !== 'pending') continue;
      const need = ancestorTitles.map((title) => NEEDS.exec(title)?.[1]).find(Boolean);
      if (need) this.missing.set(need, [...(this.missing.get(need) ?? []), ancestorTitles[0].replace(NEEDS, '')]);
      else if (!this.selectedByName) this.skipped.push(`${path}: ${fullName}`);
    }
  }

  onRunComplete() {
    const lines = [...this.missing].map(([need, groups]) => `no ${need} (${[...new Set(groups)].join('; ')})`);
    if (lines.length > 0) process.stderr.write(`Skipped on this machine: ${lines.join(', ')}.\n`);
    if (this.seed !== null) process.stderr.write(`Order of the tests: --randomize --seed=${this.seed}\n`);
    if (process.env.TESTS_COMPLETE !== '1') return;
    for (const test of this.skipped) process.stderr.write(`Skipped: ${test}\n`);
    this.incomplete = lines.length > 0 || this.skipped.length > 0;
  }

  getLastError() {
    return this.incomplete ? new Error('TESTS_COMPLETE=1, and not every test ran.') : undefined;
  }
};
