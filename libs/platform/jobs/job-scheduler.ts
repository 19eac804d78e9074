import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { CronJob } from 'cron';
import { Maintenance } from '#platform/maintenance/maintenance';
import { Jobs } from './jobs';

const EVERY_MINUTE = '0 * * * * *';
const NAME = 'jobs';

/** A server drains within ten seconds, and its jobs must end before. */
const WAITS_AT_SHUTDOWN_MS = 7_000;

/**
 * Starts outstanding jobs, once a minute and once at the start. One tick for all jobs: the database decides which are
 * outstanding (`Jobs.runDue`), so missed, failed and interrupted slots are found by the same query.
 */
@Injectable()
export class JobScheduler implements BeforeApplicationShutdown {
  private readonly log = new Logger(JobScheduler.name);

  constructor(
    private readonly jobs: Jobs,
    private readonly registry: SchedulerRegistry,
    private readonly maintenance: Maintenance,
  ) {}

  /** Called by the server if the setting JOBS is on; never by the command line. */
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
    await this.jobs.stop(WAITS_AT_SHUTDOWN_MS);
  }

  /**
   * A typical failure is that the database is not available: the next tick retries. Jobs pause during maintenance
   * (OPS-121).
   */
  async tick(): Promise<void> {
    await this.maintenance
      .interrupting(async (begun) => {
        if (!(await this.maintenance.current())) await this.jobs.runDue(begun);
      })
      .catch((error: unknown) => this.log.warn({ err: error }, 'scheduled jobs could not be looked up'));
  }
}
