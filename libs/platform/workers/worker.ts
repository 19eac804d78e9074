import { Peer, type Letter } from './peer';

/** The environment variable by which the primary process starts its workers. */
export const WORKER_PLACE = 'EVENTS_WORKER';
export const WORKER_AGAIN = 'EVENTS_WORKER_AGAIN';

/** This process's role among several that share a port (WORKERS, OPS-61). */
export interface Worker {
  /** Worker 0 runs the tasks that are done once per machine: jobs, mail, webhooks. */
  readonly place: number;
  /** Whether it replaces a worker that has exited. */
  readonly again: boolean;
  readonly primary: Peer;
}

let found: Worker | null | undefined;

/** null: this process is the only one, or the primary. */
export function thisWorker(): Worker | null {
  return (found ??= find());
}

function find(): Worker | null {
  const place = process.env[WORKER_PLACE];
  const send = process.send?.bind(process);
  if (place === undefined || !send) return null;
  // If a message cannot be sent, the primary has exited, and node:cluster ends this process too.
  const primary = new Peer((letter) => void send(letter, undefined, undefined, () => undefined));
  process.on('message', (letter) => primary.receive(letter as Letter));
  process.on('disconnect', () => primary.lose());
  return { place: Number(place), again: process.env[WORKER_AGAIN] !== undefined, primary };
}
