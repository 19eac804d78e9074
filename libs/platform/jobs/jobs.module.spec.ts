import { Global, Injectable, Logger, Module } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { DataSource } from 'typeorm';
import { Clock } from '#platform/time/clock';
import { Database } from '#platform/database/database';
import { DIRECT_DATA_SOURCE, requestOptions } from '#platform/database/data-source';
import { createEmptyDatabase } from '#testing/test-database';
import { waitUntil } from '#testing/wait-until';
import { Maintenance, MAINTENANCE_CACHED_MS } from '#platform/maintenance/maintenance';
import { JobRuns0003 } from '#migrations/0003-job-runs';
import { Maintenance0520 } from '#migrations/0520-maintenance';
import type { Job, JobContext, JobResult } from './job';
import { JobScheduler } from './job-scheduler';
import { Jobs } from './jobs';
import { JobsModule } from './jobs.module';

@Injectable()
class Tidying implements Job {
  readonly name = 'tidy';
  readonly every = 'day';
  runs = 0;
  stopped = false;

  async run({ signal }: JobContext): Promise<JobResult> {
    this.runs++;
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    this.stopped = true;
    return { tidied: 3 };
  }
}

@Module({ providers: [Tidying], exports: [Tidying] })
class TidyingModule {}

describe('the module of jobs', () => {
  let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
  let dataSource: DataSource;
  let app: TestingModule;
  let tidying: Tidying;

  beforeEach(async () => {
    Logger.overrideLogger(false);
    database = await createEmptyDatabase();
    dataSource = await new DataSource(requestOptions(database.url, 3)).initialize();
    const runner = dataSource.createQueryRunner();
    await new JobRuns0003().up(runner);
    await new Maintenance0520().up(runner);
    await runner.release();

    @Global()
    @Module({
      providers: [
        Clock,
        Maintenance,
        { provide: DIRECT_DATA_SOURCE, useValue: dataSource },
        { provide: Database, useValue: new Database(dataSource) },
      ],
      exports: [Clock, Maintenance, DIRECT_DATA_SOURCE, Database],
    })
    class GlobalProviders {}

    app = await Test.createTestingModule({
      imports: [GlobalProviders, JobsModule.forRoot({ imports: [TidyingModule], jobs: [Tidying] })],
    }).compile();
    await app.init();
    tidying = app.get(Tidying, { strict: false });
  });
  afterEach(async () => {
    await dataSource.destroy();
    await database.drop();
    Logger.overrideLogger(['log', 'warn', 'error']);
  });

  it('runs outstanding jobs at the start; at shutdown, aborts them and waits until they have ended', async () => {
    expect(app.get(Jobs).names).toEqual(['tidy']);
    expect(tidying.runs).toBe(0);

    app.get(JobScheduler).start();
    await waitUntil(() => tidying.runs > 0);
    await app.close();
    expect(tidying).toMatchObject({ runs: 1, stopped: true });
    expect(await dataSource.query('SELECT job, result, finished_at IS NOT NULL AS finished FROM job_runs')).toEqual([
      { job: 'tidy', result: { tidied: 3 }, finished: true },
    ]);
  });

  // OPS-121
  it('aborts a running job when maintenance begins, and starts no job until maintenance ends', async () => {
    const scheduler = app.get(JobScheduler);
    const tickBeforeMaintenance = scheduler.tick();
    await waitUntil(() => tidying.runs > 0);
    await dataSource.query("INSERT INTO maintenance (message, since) VALUES ('New disks.', now())");
    await tickBeforeMaintenance;
    expect(tidying).toMatchObject({ runs: 1, stopped: true });

    await dataSource.query('DELETE FROM job_runs');
    await scheduler.tick();
    expect(tidying.runs).toBe(1);

    await dataSource.query('DELETE FROM maintenance');
    await new Promise((resolve) => setTimeout(resolve, MAINTENANCE_CACHED_MS));
    const tickAfterMaintenance = scheduler.tick();
    await waitUntil(() => tidying.runs > 1);
    await app.close();
    await tickAfterMaintenance;
    expect(tidying.runs).toBe(2);
  });
});
