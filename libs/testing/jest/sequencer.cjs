const { readFileSync } = require('node:fs');
const { join, relative } = require('node:path');
const Sequencer = require('@jest/test-sequencer').default;

const ROOT = join(__dirname, '..', '..', '..');
/**
 * Durations of the slowest test files in seconds. They are listed so that no slow file starts last. The duration of any
 * other file is estimated by its size.
 */
const SECONDS = JSON.parse(readFileSync(join(__dirname, 'longest.json'), 'utf8'));

/**
 * First runs the files that failed in the last run, then the other files, the slowest first. Durations come from the
 * last run on this machine. If there was no such run, they come from `SECONDS`.
 */
module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    const all = [...tests];
    if (all.some((test) => this._getCache(test)[test.path])) return super.sort(all);
    const weight = ({ path, context }) => SECONDS[relative(ROOT, path)] ?? context.hasteFS.getSize(path) / 1e6;
    return all
      .map((test) => ({ test, weight: weight(test) }))
      .sort((a, b) => b.weight - a.weight)
      .map(({ test }) => test);
  }
};
