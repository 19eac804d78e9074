import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { browserIsInstalled, chromiumIsInstalled } from './browser';
import { pgbouncerIsInstalled } from './pgbouncer';
import { redisIsInstalled } from './redis-server';

export const NOBODY = { uid: 65_534, gid: 65_534 };

const IS_MET = {
  'redis-server': redisIsInstalled,
  chromium: chromiumIsInstalled,
  'chromium-headless-shell': browserIsInstalled,
  pgbouncer: pgbouncerIsInstalled,
  root: () => process.getuid?.() === 0 && spawnSync('setpriv', ['--version']).status === 0,
  /** For tests that mount a file system. Not every container allows this, even for root. */
  mount: () => {
    const folder = mkdtempSync(join(tmpdir(), 'mount-'));
    const mounted = spawnSync('mount', ['-t', 'tmpfs', 'none', folder]).status === 0;
    if (mounted) spawnSync('umount', [folder]);
    rmdirSync(folder);
    return mounted;
  },
  /** For tests that run the sources as the user NOBODY. They need root, and NOBODY must be able to read the files. */
  'readable checkout': () => spawnSync(process.execPath, ['-e', ''], { cwd: __dirname, ...NOBODY }).status === 0,
} as const;

type Requirement = keyof typeof IS_MET;

/**
 * Like `describe`, for tests with a requirement that not every machine meets. On other machines these tests are
 * skipped, and a line at the end of the run reports the skipped tests (libs/testing/jest/reporter.cjs). With
 * TESTS_COMPLETE=1, a skipped test makes the run fail.
 */
export function describeWith(requirement: Requirement, name: string, tests: () => void): void {
  if (IS_MET[requirement]()) describe(name, tests);
  // `tests` is not called, because it may start servers to compute its test cases.
  else describe.skip(`${name} [needs ${requirement}]`, () => it('is skipped', () => undefined));
}
