import { Inject, Injectable, Logger } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { OperatorError } from '#platform/config/operator-error';
import { DIRECT_DATA_SOURCE } from '#platform/database/data-source';
import { Clock } from '#platform/time/clock';
import type { Job, JobResult } from './job';
import { withJobLock } from './job-lock';
import { JobRuns, type JobRun, type Slot } from './job-runs';
import { dueSlot } from './slots';

/** The injection token of the list of all jobs. */
export const JOBS = Symbol('JOBS');

/** Milliseconds that a run by hand waits for a run in progress. */
const RUN_NOW_TIMEOUT_MS = 60_000;
const LOCK_POLL_MS = 250;
/** A signal that is never aborted. */
const NEVER = new AbortController().signal;

/** No job has the requested name. */
export class UnknownJob extends OperatorError {}

/** A run by hand has waited too long for another run of the same job. */
class JobBusy extends OperatorError {}

/** Runs jobs at their scheduled times and by hand. Each run is made by one server only. */
@Injectable()
export class Jobs {
  private readonly log = new Logger(Jobs.name);
  private readonly shutdown = new AbortController();
  private running: Promise<unknown> = Promise.resolve();

  constructor(
    @Inject(JOBS) private readonly jobs: readonly Job[],
    @Inject(DIRECT_DATA_SOURCE) private readonly dataSource: DataSource,
    private readonly runs: JobRuns,
    private readonly clock: Clock,
  ) {
    const duplicate = this.names.find((name, index) => this.names.indexOf(name) !== index);
    if (duplicate !== undefined) throw new Error(`Two jobs are named "${duplicate}".`);
  }

  get names(): readonly string[] {
    return this.jobs.map((job) => job.name);
  }

  /**
   * Runs every job whose latest slot (scheduled time) is not done, one after another. This includes slots that passed
   * during a downtime, and slots whose run was interrupted. After a failed attempt, a slot is repeated only after a
   * wait (job-runs.ts). Failures of a job are stored and logged, but not thrown. A job that is already running (on
   * another server or by hand) is skipped.
   *
   * @param stopped if this signal is aborted, the running job stops before its next batch, and no other job is started
   *
   * @returns the names of the jobs that ran, including the jobs that failed
   */
  async runDue(stopped: AbortSignal = NEVER): Promise<string[]> {
    const run = this.running.then(() => this.runAllDue(AbortSignal.any([stopped, this.shutdown.signal])));
    this.running = run.catch(() => undefined);
    return run;
  }

  /**
   * Runs a job now, whether it is due or not. If another run of the job is in progress, waits at most a minute for it.
   *
   * @returns the result of the run
   *
   * @throws UnknownJob, JobBusy, or the error of the job, which is also stored unless a shutdown stopped the run
   *
   * @throws AbortError at a shutdown during the wait
   */
  async runNow(name: string): Promise<JobResult> {
    const job = this.jobs.find((one) => one.name === name);
    if (!job) throw new UnknownJob(`There is no job ${name}; the jobs are ${this.names.join(', ')}.`);
    for (let waitedMs = 0; waitedMs <= RUN_NOW_TIMEOUT_MS; waitedMs += LOCK_POLL_MS) {
      const run = await withJobLock(this.dataSource, name, async (lost) => {
        const slot = { job: name, slot: this.clock.now() };
        await this.runs.beginByHand(slot);
        return this.run(job, slot, lost, this.shutdown.signal);
      });
      if (!run.heldByAnother) return run.value;
      await pause(LOCK_POLL_MS, undefined, { signal: this.shutdown.signal });
    }
    throw new JobBusy(`The job "${name}" is running elsewhere at the moment. Try again later.`);
  }

  /** The last run of each job, for `doctor`. */
  async lastRuns(): Promise<JobRun[]> {
    return this.runs.last(this.names, this.clock.now());
  }

  /**
   * Asks running jobs to stop before their next batch. Waits at most `milliseconds`, and only for the jobs that
   * `runDue` started. `runDue` starts no further job.
   */
  async stop(milliseconds: number): Promise<void> {
    this.shutdown.abort(new Error('the server is shutting down'));
    await Promise.race([this.running, pause(milliseconds, undefined, { ref: false })]);
  }

  /**
   * Reads the due slots again after each job, so that the jobs of each minute, which are first in the list, do not wait
   * for several long jobs. Each slot is tried once.
   */
  private async runAllDue(stopped: AbortSignal): Promise<string[]> {
    const ranJobs: string[] = [];
    const triedSlots = new Set<string>();
    for (;;) {
      const slot = (await this.dueSlots()).find((due) => !triedSlots.has(keyOf(due)));
      const job = this.jobs.find((one) => one.name === slot?.job);
      if (!slot || !job || stopped.aborted) return ranJobs;
      triedSlots.add(keyOf(slot));
      await withJobLock(this.dataSource, job.name, async (lost) => {
        if (!(await this.runs.begin(slot, this.clock.now()))) return;
        ranJobs.push(job.name);
        await this.run(job, slot, lost, stopped).catch(() => undefined);
      });
    }
  }

  private dueSlots(): Promise<Slot[]> {
    const now = this.clock.now();
    return this.runs.due(
      this.jobs.map((job) => ({ job: job.name, slot: dueSlot(job.every, now) })),
      now,
    );
  }

  private async run(job: Job, slot: Slot, lost: AbortSignal, stopped: AbortSignal): Promise<JobResult> {
    const signal = AbortSignal.any([lost, stopped]);
    const started = performance.now();
    const logFields = () => ({
      job: job.name,
      slot: slot.slot.toISOString(),
      ms: Math.round(performance.now() - started),
    });
    try {
      const result = await job.run({ now: this.clock.now(), signal });
      await this.runs.finish(slot, this.clock.now(), result);
      this.log.log({ ...logFields(), result }, 'job done');
      return result;
    } catch (error) {
      // A run that a shutdown or maintenance stopped did not fail. Its row stays without an error, so a scheduled run
      // is due at once.
      if (stopped.aborted) this.log.warn({ ...logFields(), err: error }, 'job interrupted');
      else {
        this.log.error({ ...logFields(), err: error }, 'job failed');
        await this.runs.fail(slot, reason(error)).catch(() => undefined);
      }
      throw error;
    }
  }
}

function keyOf({ job, slot }: Slot): string {
  return `${job} ${slot.getTime()}`;
}

function reason(error: unknown): string {
  return (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).slice(0, 2000);
}
