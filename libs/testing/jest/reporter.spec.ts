import { createRequire } from 'node:module';

interface Reporter {
  onTestResult(file: { path: string }, result: { testResults: object[] }): void;
  onRunComplete(): void;
  getLastError(): Error | undefined;
}
const SkippedTestsReporter = createRequire(__filename)('./reporter.cjs') as new (options: {
  seed: number;
  randomize: boolean;
  testNamePattern?: string;
}) => Reporter;

describe('the reporter of skipped tests', () => {
  let output: string;
  let write: jest.SpyInstance;
  beforeEach(() => {
    output = '';
    write = jest.spyOn(process.stderr, 'write').mockImplementation((text) => Boolean((output += String(text))));
  });
  afterEach(() => write.mockRestore());

  const WITHOUT_PROGRAM = {
    status: 'pending',
    ancestorTitles: ['shared limits [needs redis-server]'],
    fullName: 'shared limits [needs redis-server] are exact',
  };
  const SKIPPED = { status: 'pending', ancestorTitles: ['x'], fullName: 'x is skipped' };
  const PASSED = { status: 'passed', ancestorTitles: ['x'], fullName: 'x passes' };

  const errorOf = (tests: object[], complete: string | undefined, options: { testNamePattern?: string } = {}) => {
    if (complete === undefined) delete process.env.TESTS_COMPLETE;
    else process.env.TESTS_COMPLETE = complete;
    const reporter = new SkippedTestsReporter({ seed: 7, randomize: true, ...options });
    reporter.onTestResult({ path: 'a.spec.ts' }, { testResults: tests });
    reporter.onRunComplete();
    return reporter.getLastError()?.message;
  };

  it.each([
    ['no error if all tests ran', [PASSED], '1', {}, undefined],
    [
      'an error with TESTS_COMPLETE=1 if a program is missing',
      [WITHOUT_PROGRAM, PASSED],
      '1',
      {},
      'TESTS_COMPLETE=1, and not every test ran.',
    ],
    [
      'no error without TESTS_COMPLETE=1, even if a program is missing',
      [WITHOUT_PROGRAM, PASSED],
      undefined,
      {},
      undefined,
    ],
    [
      'an error with TESTS_COMPLETE=1 if a test is skipped',
      [SKIPPED],
      '1',
      {},
      'TESTS_COMPLETE=1, and not every test ran.',
    ],
    ['no error for a test that --testNamePattern did not select', [SKIPPED], '1', { testNamePattern: 'y' }, undefined],
    [
      'an error with TESTS_COMPLETE=1 if the program for a selected test is missing',
      [WITHOUT_PROGRAM],
      '1',
      { testNamePattern: 'y' },
      'TESTS_COMPLETE=1, and not every test ran.',
    ],
  ] as [string, object[], string | undefined, { testNamePattern?: string }, string | undefined][])(
    'reports %s',
    (_case, tests, complete, options, error) => {
      expect(errorOf(tests, complete, options)).toBe(error);
    },
  );

  it('prints one line with the missing programs and one line with the seed of the order', () => {
    errorOf([WITHOUT_PROGRAM, WITHOUT_PROGRAM, PASSED], undefined);
    expect(output).toBe(
      'Skipped on this machine: no redis-server (shared limits).\nOrder of the tests: --randomize --seed=7\n',
    );
  });
});
