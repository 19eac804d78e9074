/** Names of the messages between the primary process and its workers (OPS-61). */
export const MESSAGES = {
  /** From a worker: the worker now serves requests. */
  started: 'started',
  /**
   * From the primary: the worker must end. `end`: as after SIGTERM. `replaced`: another worker has replaced this
   * worker, and the port stays open.
   */
  end: 'end',
  replaced: 'replaced',
  /** From a worker: the worker has closed its port. */
  leaving: 'leaving',
  /** From the primary: requests this worker's metrics. From a worker: requests the metrics of all workers. */
  metrics: 'metrics',
  metricsOfAll: 'metrics-of-all',
} as const;
