import { Peer, type PeerMessage } from './peer';

/** The environment variable that holds a worker's number. The primary process sets it. */
export const WORKER_NUMBER = 'EVENTS_WORKER';
/** The environment variable that is set for a worker that replaces another worker. */
export const WORKER_IS_REPLACEMENT = 'EVENTS_WORKER_AGAIN';

/** The signals that stop the server. */
export const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** The role of this process if several processes share one port (WORKERS, OPS-61). */
export interface Worker {
  /**
   * The worker's number. Worker 0 also does the work that only one process per machine does: jobs, mails, push messages
   * and webhooks.
   */
  readonly number: number;
  /** Whether this worker replaces a worker that has exited, or a worker that will end because of SIGUSR2. */
  readonly isReplacement: boolean;
  readonly primary: Peer;
}

let cachedWorker: Worker | null = null;

/** Returns null if this process is the only process of the server, or the primary process. */
export function thisWorker(): Worker | null {
  return (cachedWorker ??= readWorker());
}

function readWorker(): Worker | null {
  const number = process.env[WORKER_NUMBER];
  const send = process.send?.bind(process);
  if (number === undefined || !send) return null;
  // If a message cannot be sent, the primary has exited, and node:cluster ends this process too.
  const primary = new Peer((message) => void send(message, undefined, undefined, () => undefined));
  process.on('message', (message) => primary.receive(message as PeerMessage));
  process.on('disconnect', () => primary.disconnect());
  return { number: Number(number), isReplacement: process.env[WORKER_IS_REPLACEMENT] !== undefined, primary };
}
