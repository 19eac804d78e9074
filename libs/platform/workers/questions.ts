/** Names of the messages between the primary process and its workers (OPS-61). */
export const QUESTIONS = {
  /** From a worker: it serves requests from now on. */
  started: 'started',
  /** From the primary: end as after SIGTERM; or after the worker's replacement, while the port stays open. */
  end: 'end',
  replaced: 'replaced',
  /** From a worker: it has closed its port. */
  leaving: 'leaving',
  /** From the primary: request this worker's metrics. From a worker: request those of all workers. */
  figures: 'figures',
  figuresOfAll: 'figures-of-all',
} as const;
