import { Module, type DynamicModule, type ModuleMetadata, type Type } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import type { Job } from './job';
import { JobRuns } from './job-runs';
import { JobScheduler } from './job-scheduler';
import { JOBS, Jobs } from './jobs';

interface JobsOptions {
  /** The modules that export the jobs. */
  readonly imports: NonNullable<ModuleMetadata['imports']>;
  /** All jobs. Jobs that are due at the same time run in the order of this list. */
  readonly jobs: readonly Type<Job>[];
}

/**
 * Scheduled jobs. libs/areas/jobs.ts lists all jobs. `Database`, `DIRECT_DATA_SOURCE`, `Clock` and `Maintenance` must
 * be global providers. Until `JobScheduler.start()` is called, jobs run only by hand.
 */
@Module({})
export class JobsModule {
  static forRoot({ imports, jobs }: JobsOptions): DynamicModule {
    return {
      global: true,
      module: JobsModule,
      imports: [ScheduleModule.forRoot(), ...imports],
      providers: [
        { provide: JOBS, inject: [...jobs], useFactory: (...list: Job[]) => list },
        JobRuns,
        Jobs,
        JobScheduler,
      ],
      exports: [Jobs, JobScheduler],
    };
  }
}
