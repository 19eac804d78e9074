import { Logger } from '@nestjs/common';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import timers from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { OperatorError } from '#platform/config/operator-error';
import { Clock } from '#platform/time/clock';
import { Database } from '#platform/database/database';
import { requestOptions } from '#platform/database/data-source';
import { createEmptyDatabase, type TestDatabase } from '#testing/test-database';
import { waitUntil } from '#testing/wait-until';
import { JobRuns0003 } from '#migrations/0003-job-runs';
import type { Job, JobContext, JobResult } from './job';
import { JobRuns } from './job-runs';
import { Jobs, UnknownJob } from './jobs';

class TestClock extends Clock {
  time = new Date('2026-05-01T10:00:00Z');

  override now(): Date {
    return this.time;
  }

  move(minutes: number): void {
    this.time = new Date(this.time.getTime() + minutes * 60_000);
  }
}

/** A job that records each run in the database, so the test can count the runs on all servers. */
class Marking implements Job {
  readonly name = 'mark';
  constructor(
    private readonly dataSource: DataSource,
    readonly every: Job['every'] = '10 minutes',
    private readonly afterMark: (context: JobContext) => Promise<void> = async () => undefined,
  ) {}

  async run(context: JobContext): Promise<JobResult> {
    await this.dataSource.query('INSERT INTO job_marks (process) VALUES ($1)', [process.pid]);
    await new Promise((resolve) => setTimeout(resolve, 20));
    await this.afterMark(context);
    return { marks: 1 };
  }
}

/**
 * SQL: the end of a query for the advisory locks in this test's database. Other test files use the same PostgreSQL at
 * the same time.
 */
const LOCKS = `FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database WHERE locktype = 'advisory' AND datname = current_database()`;

describe('jobs', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  const others: DataSource[] = [];
  let clock: TestClock;

  const connect = () => new DataSource(requestOptions(database.url, 10)).initialize();
  const jobsOn = (source: DataSource, job: Job = new Marking(source)) =>
    new Jobs([job], source, new JobRuns(new Database(source)), clock);
  const marks = async () => (await dataSource.query<{ n: number }[]>('SELECT count(*)::int AS n FROM job_marks'))[0]?.n;
  const locks = async () => (await dataSource.query<{ n: number }[]>(`SELECT count(*)::int AS n ${LOCKS}`))[0]?.n;

  beforeAll(async () => {
    Logger.overrideLogger(false);
    database = await createEmptyDatabase();
    dataSource = await connect();
    const runner = dataSource.createQueryRunner();
    await new JobRuns0003().up(runner);
    await runner.query('CREATE TABLE job_marks (process integer NOT NULL)');
    await runner.release();
  });
  beforeEach(async () => {
    clock = new TestClock();
    await dataSource.query('TRUNCATE job_runs, job_marks');
  });
  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    await Promise.all(others.splice(0).map((other) => other.destroy()));
  });
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
    Logger.overrideLogger(['log', 'warn', 'error']);
  });

  // OPS-12
  it('run once per slot (the time of a scheduled run), even if ten servers try to run them', async () => {
    others.push(...(await Promise.all(Array.from({ length: 10 }, connect))));
    const servers = others.map((other) => jobsOn(other));
    await Promise.all(servers.map((one) => one.runDue()));
    await Promise.all(servers.map((one) => one.runDue()));
    expect(await marks()).toBe(1);
    clock.move(10);
    await Promise.all(servers.map((one) => one.runDue()));
    expect(await marks()).toBe(2);
    expect(await locks()).toBe(0);
  });

  it('run one after another if two processes start them by hand simultaneously', async () => {
    const processes = Array.from({ length: 2 }, () => startProcess(database.url, 'now'));
    expect(await Promise.all(processes.map(exitCodeOf))).toEqual([0, 0]);
    expect(await marks()).toBe(2);
  });

  // OPS-12
  it('run again if the process of a run was killed, but not while the process is alive', async () => {
    clock.time = new Date();
    const jobs = jobsOn(dataSource, new Marking(dataSource, 'day'));
    const child = startProcess(database.url, 'hang');
    await once(child.stdout ?? child, 'data');
    await jobs.runDue();
    expect(await marks()).toBe(1);
    expect(await jobs.lastRuns()).toMatchObject([{ attempts: 1, finishedAt: null, error: null }]);

    child.kill('SIGKILL');
    await exitCodeOf(child);
    await waitUntil(async () => (await locks()) === 0);
    await jobs.runDue();
    expect(await marks()).toBe(2);
    expect(await jobs.lastRuns()).toMatchObject([{ attempts: 2, finishedAt: clock.time, result: { marks: 1 } }]);
  });

  it('run in the order of their list, even if PostgreSQL chooses another plan for the query of outstanding jobs', async () => {
    const names = Array.from({ length: 20 }, (_, n) => `job-${(n * 7) % 20}`);
    const jobs = names.map((name): Job => ({ name, every: 'day', run: async () => ({}) }));
    const single = await new DataSource({ ...requestOptions(database.url, 1) }).initialize();
    others.push(single);
    // With a hash join, rows come in the order of the hash table.
    await single.query('SET enable_nestloop = off');
    await single.query('SET enable_mergejoin = off');
    const queue = new Jobs(jobs, dataSource, new JobRuns(new Database(single)), clock);
    expect(await queue.runDue()).toEqual(names);
  });

  // OPS-12
  // OPS-12
  it('run again if their next slot comes during another job, before the jobs after that job', async () => {
    const job = (name: string, every: Job['every'], minutes: number): Job => ({
      name,
      every,
      run: async () => {
        clock.move(minutes);
        return {};
      },
    });
    const list = [job('frequent', 'minute', 0), job('long', 'day', 2), job('last', 'day', 0)];
    const jobs = new Jobs(list, dataSource, new JobRuns(new Database(dataSource)), clock);
    expect(await jobs.runDue()).toEqual(['frequent', 'long', 'frequent', 'last']);
    expect(await jobs.runDue()).toEqual([]);
  });

  it('run only for the latest slot after a downtime', async () => {
    const jobs = jobsOn(dataSource);
    await jobs.runDue();
    clock.move(3 * 24 * 60);
    await jobs.runDue();
    await jobs.runDue();
    expect(await marks()).toBe(2);
  });

  // OPS-12
  it('still run after the correction of a server’s clock that was years ahead', async () => {
    const jobs = jobsOn(dataSource);
    const correct = clock.time;
    clock.move(5 * 365 * 24 * 60);
    await jobs.runDue();
    clock.time = correct;
    await jobs.runDue();
    await jobs.runDue();
    expect(await marks()).toBe(2);
    expect(await jobs.lastRuns()).toMatchObject([{ slot: correct, finishedAt: correct }]);
    // The clocks of two servers differ by two seconds. The server whose clock is behind does not repeat the run of the
    // other server.
    clock.move(10);
    await jobs.runDue();
    clock.move(-1 / 30);
    await jobs.runDue();
    expect(await marks()).toBe(3);
  });

  // OPS-13
  it('store their error if they fail, and are retried one minute after the first attempt and two minutes after the second', async () => {
    let broken = true;
    const jobs = jobsOn(
      dataSource,
      new Marking(dataSource, 'hour', async () => {
        if (broken) throw new TypeError('the disk is full');
      }),
    );
    await jobs.runDue();
    expect(await jobs.lastRuns()).toMatchObject([
      { job: 'mark', attempts: 1, finishedAt: null, result: null, error: 'TypeError: the disk is full' },
    ]);
    await jobs.runDue();
    expect(await marks()).toBe(1);
    clock.move(1);
    await jobs.runDue();
    clock.move(1);
    await jobs.runDue();
    expect(await marks()).toBe(2);
    broken = false;
    clock.move(1);
    await jobs.runDue();
    expect(await jobs.lastRuns()).toMatchObject([
      { attempts: 3, finishedAt: clock.time, result: { marks: 1 }, error: null },
    ]);
  });

  // OPS-19
  it('can be run by hand at any time, and return their counts', async () => {
    const jobs = jobsOn(dataSource);
    await jobs.runDue();
    clock.move(1);
    expect(await jobs.runNow('mark')).toEqual({ marks: 1 });
    expect(await jobs.runNow('mark')).toEqual({ marks: 1 });
    expect(await marks()).toBe(3);
    expect(await jobs.lastRuns()).toMatchObject([{ slot: clock.time, attempts: 2 }]);
    await expect(jobs.runNow('tidy')).rejects.toThrow(UnknownJob);
  });

  it('throw and store their error if they fail in a run by hand', async () => {
    const jobs = jobsOn(dataSource, new Marking(dataSource, 'day', () => Promise.reject(new Error('no'))));
    await expect(jobs.runNow('mark')).rejects.toThrow('no');
    expect(await jobs.lastRuns()).toMatchObject([{ error: 'Error: no' }]);
    expect(await locks()).toBe(0);
  });

  it('wait for a run in progress if they are run by hand', async () => {
    const other = await connect();
    others.push(other);
    let release: () => void = () => undefined;
    const isReleased = new Promise<void>((resolve) => (release = resolve));
    const scheduled = jobsOn(other, new Marking(other, 'day', () => isReleased)).runDue();
    await waitUntil(async () => (await marks()) === 1);
    const byHand = jobsOn(dataSource).runNow('mark');
    release();
    await scheduled;
    expect(await byHand).toEqual({ marks: 1 });
    expect(await marks()).toBe(2);
  });

  it('throw an error for the operator if they are run by hand and a run in progress does not end', async () => {
    const other = await connect();
    others.push(other);
    let release: () => void = () => undefined;
    const isReleased = new Promise<void>((resolve) => (release = resolve));
    const scheduled = jobsOn(other, new Marking(other, 'day', () => isReleased)).runDue();
    await waitUntil(async () => (await marks()) === 1);
    const wait = jest
      .spyOn(timers, 'setTimeout')
      // A promise that is already resolved would not be enough: another loop awaits this timer, and would then block
      // the event loop.
      .mockImplementation(() => timers.setImmediate());
    const busy = await jobsOn(dataSource)
      .runNow('mark')
      .catch((error: unknown) => error);
    wait.mockRestore();
    release();
    await scheduled;
    expect(busy).toBeInstanceOf(OperatorError);
  });

  it('stop when the server shuts down, and are completed by another server', async () => {
    const stopped = await connect();
    others.push(stopped);
    const endless = new Marking(stopped, 'day', async ({ signal }) => {
      // The wait throws an AbortError of Node, whose cause is the reason of the abort.
      for (;;) await timers.setTimeout(10, undefined, { signal });
    });
    const jobs = jobsOn(stopped, endless);
    const run = jobs.runDue();
    await waitUntil(async () => (await marks()) === 1);
    await jobs.stop(20_000);
    await run;
    expect(await locks()).toBe(0);
    // An interrupted run is no failure, and is repeated without a wait.
    expect(await jobs.lastRuns()).toMatchObject([{ finishedAt: null, error: null }]);
    await jobs.runDue();
    await jobsOn(dataSource, new Marking(dataSource, 'day')).runDue();
    expect(await jobs.lastRuns()).toMatchObject([{ attempts: 2, finishedAt: clock.time }]);
  });

  it('are aborted if the database connection that holds their lock is lost', async () => {
    const jobs = jobsOn(
      dataSource,
      new Marking(dataSource, 'day', async ({ signal }) => {
        await dataSource.query(`SELECT pg_terminate_backend(pid) ${LOCKS}`);
        await waitUntil(async () => signal.aborted);
        signal.throwIfAborted();
      }),
    );
    await jobs.runDue();
    expect(await jobs.lastRuns()).toMatchObject([{ finishedAt: null, error: expect.stringContaining('terminat') }]);
    await expect(dataSource.query('SELECT 1')).resolves.toHaveLength(1);
  });

  it('delete the rows of their old runs', async () => {
    const jobs = jobsOn(dataSource);
    await jobs.runDue();
    clock.move(15 * 24 * 60);
    await jobs.runDue();
    expect(await dataSource.query('SELECT slot FROM job_runs')).toHaveLength(1);
  });

  it('must have different names', () => {
    const twice = [new Marking(dataSource), new Marking(dataSource)];
    expect(() => new Jobs(twice, dataSource, new JobRuns(new Database(dataSource)), clock)).toThrow(
      'Two jobs are named "mark".',
    );
  });
});

const children: ChildProcess[] = [];

function startProcess(url: string, how: 'now' | 'hang'): ChildProcess {
  const testing = join(process.cwd(), 'libs/testing');
  const args = [
    '--conditions=events-source',
    '--require',
    join(testing, 'register-typescript.cjs'),
    join(testing, 'job.process.ts'),
    url,
    how,
  ];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  return child;
}

async function exitCodeOf(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.exitCode;
}
