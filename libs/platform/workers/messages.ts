/** Names of the messages between the primary process and its workers (OPS-61). */
export const MESSAGES = {
  /** From a worker: the worker now serves requests. */
  started: 'started',
  /** From the primary: the worker must end, as after SIGTERM. */
  end: 'end',
  /** From the primary: another worker now serves requests in this worker's place, so this worker must end. */
  replaced: 'replaced',
  /**
   * From a worker: the worker has closed its port. The worker sends this message twice and then exits
   * (`waitForReturnedConnections`).
   */
  leaving: 'leaving',
  /** From the primary: requests the metrics of this worker. */
  metrics: 'metrics',
  /** From a worker: requests the metrics of all workers. */
  metricsOfAll: 'metrics-of-all',
} as const;
