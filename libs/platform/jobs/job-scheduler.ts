import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { CronJob } from 'cron';
import { Jobs } from './jobs';

const EVERY_MINUTE = '0 * * * * *';
const NAME = 'jobs';

/** A server drains within ten seconds; its jobs have to be out of the way before. */
const WAITS_AT_SHUTDOWN_MS = 7_000;

/**
 * Starts what is due, once a minute and once at the start. One tick for all jobs: which are due is a question to the
 * database (`Jobs.runDue`), so a slot that was missed, failed or was cut short is found by the same question.
 */
@Injectable()
export class JobScheduler implements BeforeApplicationShutdown {
  private readonly log = new Logger(JobScheduler.name);

  constructor(
    private readonly jobs: Jobs,
    private readonly registry: SchedulerRegistry,
  ) {}

  /** Called by the server when the setting JOBS is on; never by the command line. */
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

  /** Most of all the database may be away for a while: the next tick tries again. */
  private async tick(): Promise<void> {
    await this.jobs
      .runDue()
      .catch((error: unknown) => this.log.warn({ err: error }, 'scheduled jobs could not be looked up'));
  }
}
