import { createRequire } from 'node:module';

const LongFilesReporter = createRequire(__filename)('./long-files-reporter.cjs') as new () => {
  onRunStart(): void;
  onTestFileStart(file: { path: string }): void;
  onTestFileResult(file: { path: string }): void;
  onRunComplete(): void;
};

describe('the reporter of long test files', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('prints every ten minutes which test files have been running for more than ten minutes', () => {
    const lines: string[] = [];
    const write = jest.spyOn(process.stderr, 'write').mockImplementation((text) => Boolean(lines.push(String(text))));
    const reporter = new LongFilesReporter();
    const minutes = (count: number) => jest.advanceTimersByTime(count * 60_000);
    reporter.onRunStart();
    reporter.onTestFileStart({ path: 'quick.spec.ts' });
    reporter.onTestFileStart({ path: 'other.spec.ts' });
    minutes(1);
    reporter.onTestFileResult({ path: 'quick.spec.ts' });
    reporter.onTestFileStart({ path: 'blocked.spec.ts' });
    minutes(8);
    reporter.onTestFileResult({ path: 'other.spec.ts' });
    minutes(21);
    reporter.onTestFileResult({ path: 'blocked.spec.ts' });
    minutes(10);
    reporter.onTestFileStart({ path: 'last.spec.ts' });
    reporter.onRunComplete();
    minutes(30);
    write.mockRestore();
    expect(lines).toEqual([
      'Still running after 19 minutes: blocked.spec.ts\n',
      'Still running after 29 minutes: blocked.spec.ts\n',
    ]);
  });
});
