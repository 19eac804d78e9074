const INTERVAL_MS = 10 * 60_000;

/**
 * Every ten minutes, prints which test files have run for more than ten minutes. The time limit of a test is a timer in
 * the process of its file. If a loop blocks this process, the file never ends, and this report is the only message that
 * names the file.
 */
module.exports = class LongFilesReporter {
  constructor() {
    /** The start of each running test file. */
    this.starts = new Map();
  }

  onRunStart() {
    this.interval = setInterval(() => this.report(), INTERVAL_MS).unref();
  }

  onTestFileStart({ path }) {
    this.starts.set(path, Date.now());
  }

  onTestFileResult({ path }) {
    this.starts.delete(path);
  }

  onRunComplete() {
    clearInterval(this.interval);
  }

  report() {
    for (const [path, start] of this.starts) {
      const duration = Date.now() - start;
      if (duration > INTERVAL_MS)
        process.stderr.write(`Still running after ${Math.floor(duration / 60_000)} minutes: ${path}\n`);
    }
  }
};
