import { createRequire } from 'node:module';

interface Reporter {
  onTestResult(file: { path: string }, result: { testResults: object[] }): void;
  onRunComplete(): void;
  getLastError(): Error | undefined;
}
const WhatWasLeftOut = createRequire(__filename)('./reporter.cjs') as new (options: {
  seed: number;
  randomize: boolean;
  testNamePattern?: string;
}) => Reporter;

describe('skipped tests', () => {
  let said: string;
  let write: jest.SpyInstance;
  beforeEach(() => {
    said = '';
    write = jest.spyOn(process.stderr, 'write').mockImplementation((text) => Boolean((said += String(text))));
  });
  afterEach(() => write.mockRestore());

  const MISSING = {
    status: 'pending',
    ancestorTitles: ['windows [needs redis-server]'],
    fullName: 'windows [needs redis-server] is left out',
  };
  const SKIPPED = { status: 'pending', ancestorTitles: ['x'], fullName: 'x is skipped' };
  const PASSED = { status: 'passed', ancestorTitles: ['x'], fullName: 'x passes' };

  const outcome = (tests: object[], complete: string | undefined, options: { testNamePattern?: string } = {}) => {
    if (complete === undefined) delete process.env.TESTS_COMPLETE;
    else process.env.TESTS_COMPLETE = complete;
    const reporter = new WhatWasLeftOut({ seed: 7, randomize: true, ...options });
    reporter.onTestResult({ path: 'a.spec.ts' }, { testResults: tests });
    reporter.onRunComplete();
    return reporter.getLastError()?.message;
  };

  it.each([
    ['nothing', [PASSED], '1', {}, undefined],
    ['a program that is missing', [MISSING, PASSED], '1', {}, 'TESTS_COMPLETE=1, and not every test ran.'],
    ['a program that is missing, where that may be', [MISSING, PASSED], undefined, {}, undefined],
    ['a skipped test', [SKIPPED], '1', {}, 'TESTS_COMPLETE=1, and not every test ran.'],
    ['what was not asked for', [SKIPPED], '1', { testNamePattern: 'y' }, undefined],
    [
      'a program that is missing for what was asked for',
      [MISSING],
      '1',
      { testNamePattern: 'y' },
      'TESTS_COMPLETE=1, and not every test ran.',
    ],
  ] as [string, object[], string | undefined, { testNamePattern?: string }, string | undefined][])(
    'is a failure when all must run: %s',
    (_what, tests, complete, options, error) => {
      expect(outcome(tests, complete, options)).toBe(error);
    },
  );

  it('are reported in one line, and the order of the tests in another', () => {
    outcome([MISSING, MISSING, PASSED], undefined);
    expect(said).toBe(
      'Left out on this machine: no redis-server (windows).\nOrder of the tests: --randomize --seed=7\n',
    );
  });
});
