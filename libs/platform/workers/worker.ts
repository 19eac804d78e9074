import { Peer, type Letter } from './peer';

/** How the primary process tells a process that it is one of its workers. */
export const WORKER_PLACE = 'EVENTS_WORKER';
export const WORKER_AGAIN = 'EVENTS_WORKER_AGAIN';

/** What this process is among several behind one port (WORKERS, OPS-61). */
export interface Worker {
  /** The first, 0, does what is done once a machine: jobs, mail, webhooks. */
  readonly place: number;
  /** It has come for one that is gone. */
  readonly again: boolean;
  readonly primary: Peer;
}

let found: Worker | null | undefined;

/** null: this process is alone, or the primary itself. */
export function thisWorker(): Worker | null {
  return (found ??= find());
}

function find(): Worker | null {
  const place = process.env[WORKER_PLACE];
  const send = process.send?.bind(process);
  if (place === undefined || !send) return null;
  // A letter that cannot be sent any more: the primary is gone, and with it this process goes (node:cluster).
  const primary = new Peer((letter) => void send(letter, undefined, undefined, () => undefined));
  process.on('message', (letter) => primary.receive(letter as Letter));
  process.on('disconnect', () => primary.lose());
  return { place: Number(place), again: process.env[WORKER_AGAIN] !== undefined, primary };
}
