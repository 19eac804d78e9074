import { Module, type DynamicModule, type ModuleMetadata, type Type } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import type { Job } from './job';
import { JobRuns } from './job-runs';
import { JobScheduler } from './job-scheduler';
import { JOBS, Jobs } from './jobs';

interface JobsOptions {
  /** The modules that export the jobs. */
  readonly imports: NonNullable<ModuleMetadata['imports']>;
  /** All jobs, in the order in which outstanding ones run. */
  readonly jobs: readonly Type<Job>[];
}

/**
 * Scheduled jobs. They are listed in one file above the areas; there is no discovery. Needs `Database`, `DataSource`
 * and `Clock` as global providers. Jobs run only after `JobScheduler.start()`.
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
