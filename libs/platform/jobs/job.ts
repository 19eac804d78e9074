/** How often a job runs. A daily job runs at night, in Prague time. */
export type Every = 'minute' | '5 minutes' | '10 minutes' | 'hour' | 'day';

/** The context of a run. */
export interface JobContext {
  /** The time at which the run began, read from the injected clock. */
  readonly now: Date;
  /**
   * Aborted when the server shuts down, when maintenance begins (OPS-121), or when the database connection that holds
   * the job's lock is lost. A job with several batches calls `signal.throwIfAborted()` between two batches. An aborted
   * scheduled run is repeated later.
   */
  readonly signal: AbortSignal;
}

/** The counts that a run returns, by name: `{ occurrences_created: 12 }`. */
export type JobResult = Readonly<Record<string, number>>;

/**
 * A regular task. At each scheduled time it runs on only one of the servers. A run can be repeated after a crash or by
 * hand. Therefore a job must be idempotent, and must process outstanding items in batches of limited size, each in a
 * separate transaction.
 */
export interface Job {
  /** The job's name, as in `jobs run NAME`: `series-extend`. */
  readonly name: string;
  readonly every: Every;
  run(context: JobContext): Promise<JobResult>;
}
