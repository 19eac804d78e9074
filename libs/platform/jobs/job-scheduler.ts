import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { CronJob } from 'cron';
import { Maintenance } from '#platform/maintenance/maintenance';
import { Jobs } from './jobs';

const EVERY_MINUTE = '0 * * * * *';
const NAME = 'jobs';

/** Milliseconds in which running jobs must end at a shutdown (OPS-3). */
const SHUTDOWN_TIMEOUT_MS = 7_000;

/**
 * Starts outstanding jobs at the start of the server and then once a minute. There is one timer for all jobs. The
 * database decides which jobs are outstanding (`Jobs.runDue`), so missed, failed and interrupted runs are found by the
 * same query.
 */
@Injectable()
export class JobScheduler implements BeforeApplicationShutdown {
  private readonly log = new Logger(JobScheduler.name);

  constructor(
    private readonly jobs: Jobs,
    private readonly registry: SchedulerRegistry,
    private readonly maintenance: Maintenance,
  ) {}

  /** Starts the timer. The server calls this method if the setting JOBS is on; the command line never does. */
  start(): void {
    const onTick = () => this.tick();
    this.registry.addCronJob(
      NAME,
      CronJob.from({
        name: NAME,
        cronTime: EVERY_MINUTE,
        onTick,
        start: true,
        runOnInit: true,
        waitForCompletion: true,
      }),
    );
  }

  async beforeApplicationShutdown(): Promise<void> {
    if (this.registry.doesExist('cron', NAME)) this.registry.deleteCronJob(NAME);
    await this.jobs.stop(SHUTDOWN_TIMEOUT_MS);
  }

  /**
   * Runs outstanding jobs. If the database is not available, the next tick retries. Jobs do not run during maintenance
   * (OPS-121).
   */
  async tick(): Promise<void> {
    await this.maintenance
      .interrupting(async (signal) => {
        if (!(await this.maintenance.recentState())) await this.jobs.runDue(signal);
      })
      .catch((error: unknown) => this.log.warn({ err: error }, 'the outstanding jobs could not be read'));
  }
}
