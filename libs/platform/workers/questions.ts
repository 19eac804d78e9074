/** Names of the messages between the primary process and its workers (OPS-61). */
export const QUESTIONS = {
  /** Of a worker: it answers requests from now on. */
  started: 'started',
  /** Of the primary: to end as after SIGTERM; or once it has been replaced, while the port stays open. */
  end: 'end',
  replaced: 'replaced',
  /** Of a worker: it has closed its port. */
  leaving: 'leaving',
  /** Of the primary: what this worker has measured. Of a worker: what all have. */
  figures: 'figures',
  figuresOfAll: 'figures-of-all',
} as const;
