import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { QUESTIONS } from '#platform/workers/questions';
import { thisWorker, type Worker } from '#platform/workers/worker';

/**
 * Whether a load balancer should send more requests to this process. The load balancer is notified before the shutdown
 * begins (OPS-50).
 */
@Injectable()
export class Readiness {
  /** Written by `leave` only; a field, because every request reads it. */
  isLeaving = false;
  private replaced = false;

  /** A replaced worker leaves, but its port stays open. */
  get isReady(): boolean {
    return !this.isLeaving || this.replaced;
  }

  leave(replaced = false): void {
    this.isLeaving = true;
    this.replaced = replaced;
  }
}

const STOPPING = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
/** Seconds during which responses of a replaced worker close their connections. */
const LEAST_OF_REPLACED = 2;

/**
 * Connections that the primary passes to this worker while it closes its port must go to another worker. After the
 * first response from the primary this worker has received them all, and before the second it has refused them. A
 * worker that exits earlier would lose them.
 */
async function handBack(worker: Worker | null): Promise<void> {
  for (let n = 0; worker && n < 2; n++) await worker.primary.ask(QUESTIONS.leaving).catch(() => undefined);
}

/**
 * Ends the process on request: first "not ready", then `delay` seconds of normal service, then `close`. A second
 * request skips the delay. Workers react only to the primary's message, because a terminal sends Ctrl-C to all
 * processes.
 */
export function endOnMessage(readiness: Readiness, delay: number, close: () => Promise<unknown>): void {
  const hurry = new AbortController();
  const worker = thisWorker();
  const end = async (replaced = false): Promise<void> => {
    if (readiness.isLeaving) return hurry.abort();
    readiness.leave(replaced);
    const seconds = replaced ? Math.max(delay, LEAST_OF_REPLACED) : delay;
    await pause(seconds * 1000, undefined, { signal: hurry.signal }).catch(() => undefined);
    // Exits with 0 after the last log lines are written, instead of repeating the signal.
    await close()
      .then(() => handBack(worker))
      .then(
        () => process.exit(0),
        (error: unknown) => {
          process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
          process.exit(1);
        },
      );
  };
  for (const signal of STOPPING) process.on(signal, () => (worker && signal !== 'SIGTERM' ? undefined : void end()));
  worker?.primary.answer(QUESTIONS.end, () => void end());
  worker?.primary.answer(QUESTIONS.replaced, () => void end(true));
}
