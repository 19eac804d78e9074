import { Global, Injectable, Logger, Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { DataSource } from 'typeorm';
import { Clock } from '#platform/time/clock';
import { Database } from '#platform/database/database';
import { DIRECT_DATA_SOURCE, requestOptions } from '#platform/database/data-source';
import { createEmptyDatabase } from '#testing/test-database';
import { JobRuns0003 } from '#migrations/0003-job-runs';
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
  it('runs outstanding jobs at the start, and awaits them at shutdown', async () => {
    Logger.overrideLogger(false);
    const database = await createEmptyDatabase();
    const dataSource = await new DataSource(requestOptions(database.url, 3)).initialize();
    await new JobRuns0003().up(dataSource.createQueryRunner());

    @Global()
    @Module({
      providers: [
        Clock,
        { provide: DIRECT_DATA_SOURCE, useValue: dataSource },
        { provide: Database, useValue: new Database(dataSource) },
      ],
      exports: [Clock, DIRECT_DATA_SOURCE, Database],
    })
    class Ground {}

    const app = await Test.createTestingModule({
      imports: [Ground, JobsModule.forRoot({ imports: [TidyingModule], jobs: [Tidying] })],
    }).compile();
    await app.init();
    expect(app.get(Jobs).names).toEqual(['tidy']);
    const tidying = app.get(Tidying, { strict: false });
    expect(tidying.runs).toBe(0);

    app.get(JobScheduler).start();
    for (let asked = 0; tidying.runs === 0 && asked < 1000; asked++)
      await new Promise((resolve) => setTimeout(resolve, 10));
    await app.close();
    expect(tidying).toMatchObject({ runs: 1, stopped: true });
    expect(await dataSource.query('SELECT job, result, finished_at IS NOT NULL AS finished FROM job_runs')).toEqual([
      { job: 'tidy', result: { tidied: 3 }, finished: true },
    ]);

    await dataSource.destroy();
    await database.drop();
    Logger.overrideLogger(['log', 'warn', 'error']);
  });
});
