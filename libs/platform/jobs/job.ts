/** How often a job is due; the day's hour is in the night of Prague. */
export type Every = 'minute' | '5 minutes' | '10 minutes' | 'hour' | 'day';

/** What a job may count on while it runs. */
export interface JobContext {
  /** The moment of the run, from the injected clock. */
  readonly now: Date;
  /**
   * Aborted when the server shuts down, or when the job's lock is lost with its connection. A job of several batches
   * calls `signal.throwIfAborted()` between two: the run then counts as not done, and is done again later.
   */
  readonly signal: AbortSignal;
}

/** What a run did, by name: `{ occurrences_created: 12 }`. */
export type JobResult = Readonly<Record<string, number>>;

/**
 * Something to be done regularly, once over all replicas. A run may be repeated, after a crash or by hand, so a job
 * only ever finishes what is not done yet (idempotent), in bounded batches: a transaction for each.
 */
export interface Job {
  /** As in `jobs run NAME`: `series-extend`. */
  readonly name: string;
  readonly every: Every;
  run(context: JobContext): Promise<JobResult>;
}
