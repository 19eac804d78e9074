/** The schedule of a job; a daily job runs at night in Prague. */
export type Every = 'minute' | '10 minutes' | 'hour' | 'day';

/** The context of a run. */
export interface JobContext {
  /** The time of the run, from the injected clock. */
  readonly now: Date;
  /**
   * Aborted when the server shuts down, or when the job's lock is lost with its connection. A job with several batches
   * calls `signal.throwIfAborted()` between two: the run then counts as not done, and is repeated later.
   */
  readonly signal: AbortSignal;
}

/** Counts of a run by name: `{ occurrences_created: 12 }`. */
export type JobResult = Readonly<Record<string, number>>;

/**
 * A regular task that runs once over all servers. A run may be repeated, after a crash or by hand, so a job must be
 * idempotent and process outstanding items in bounded batches, each in its own transaction.
 */
export interface Job {
  /** The name in `jobs run NAME`: `series-extend`. */
  readonly name: string;
  readonly every: Every;
  run(context: JobContext): Promise<JobResult>;
}
