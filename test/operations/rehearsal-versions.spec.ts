import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

type LastRelease = (log: string) => string | undefined;

describe('the version from which a rehearsed upgrade starts', () => {
  let lastRelease: LastRelease;
  beforeAll(async () => {
    ({ lastRelease } = (await import(join(__dirname, '../../rehearse/lib/versions.mjs'))) as {
      lastRelease: LastRelease;
    });
  });

  it('is the newest commit whose subject begins with `release: `', () => {
    expect(
      lastRelease('d4 rehearse: find the last release: by its subject\nc3 release: 0.2.0\nb2 release: 0.1.0'),
    ).toBe('c3');
    expect(lastRelease('a1 first commit')).toBeUndefined();
  });
});

describe('the options of a rehearsal', () => {
  /**
   * Starts a rehearsal, and returns its exit status and error output. A rehearsal checks its options first. If it
   * accepted a wrong value, it would run until `timeout`.
   */
  const start = (rehearsal: string, ...options: string[]) => {
    const file = join(__dirname, `../../rehearse/${rehearsal}.mjs`);
    const { status, stderr } = spawnSync(process.execPath, [file, ...options], { encoding: 'utf8', timeout: 10_000 });
    return [status, stderr];
  };

  it.each([
    ['attacks', 'seconds', 'abc'],
    ['changes', 'times', '0'],
    ['failover', 'times', '1.5'],
    ['kill', 'times', ''],
    ['order', 'times', '1e3'],
    ['pitr', 'requests', '-1'],
    ['pooler', 'requests', '0x10'],
    ['replicas', 'requests', ' 5'],
    ['restore', 'requests', '1234567890'],
    ['rolling', 'requests', 'abc'],
    ['upgrade', 'requests', 'Infinity'],
  ])('that are numbers must be whole numbers from 1: %s --%s="%s"', (rehearsal, option, value) => {
    expect(start(rehearsal, `--${option}=${value}`)).toEqual([
      1,
      `npm run rehearse -- ${rehearsal}: --${option} must be a whole number from 1, with at most 9 digits, not "${value}".\n`,
    ]);
  });

  it('must be known', () => {
    expect(start('rolling', '--request', '5')).toEqual([
      1,
      expect.stringMatching(/^npm run rehearse -- rolling: Unknown option '--request'.*\n$/),
    ]);
  });
});
