/** Names of the messages between the primary process and its workers (OPS-61). */
export const QUESTIONS = {
  /** From a worker: the worker serves requests from now on. */
  started: 'started',
  /**
   * From the primary: the worker ends as after SIGTERM (`end`), or because another worker has replaced it and the port
   * stays open (`replaced`).
   */
  end: 'end',
  replaced: 'replaced',
  /** From a worker: the worker has closed its port. */
  leaving: 'leaving',
  /** From the primary: requests this worker's metrics. From a worker: requests the metrics of all workers. */
  figures: 'figures',
  figuresOfAll: 'figures-of-all',
} as const;
