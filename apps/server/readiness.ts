import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { QUESTIONS } from '#platform/workers/questions';
import { thisWorker, type Worker } from '#platform/workers/worker';

/** Whether a load balancer should send more requests here. It is told of the end before the end begins (OPS-50). */
@Injectable()
export class Readiness {
  /** Written by `leave` alone; a field, since every request asks. */
  isLeaving = false;
  private replaced = false;

  /** A worker that is replaced leaves, but its port stays open. */
  get isReady(): boolean {
    return !this.isLeaving || this.replaced;
  }

  leave(replaced = false): void {
    this.isLeaving = true;
    this.replaced = replaced;
  }
}

const STOPPING = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
/** Seconds in which whoever keeps a connection to a replaced worker is told to make another. */
const LEAST_OF_REPLACED = 2;

/**
 * Connections that the primary has handed over while this worker closed go to another one: it hears of them before the first answer, and has
 * said that it does not take them before the second. Whoever exits earlier leaves them with nobody.
 */
async function handBack(worker: Worker | null): Promise<void> {
  for (let n = 0; worker && n < 2; n++) await worker.primary.ask(QUESTIONS.leaving).catch(() => undefined);
}

/**
 * Ends the process when it is told to: "not ready" first, then `delay` seconds in which everything is answered as ever, then `close`.
 * Whoever asks a second time does not want to wait. A worker is told by its primary: a Ctrl-C goes to both.
 */
export function endOnMessage(readiness: Readiness, delay: number, close: () => Promise<unknown>): void {
  const hurry = new AbortController();
  const worker = thisWorker();
  const end = async (replaced = false): Promise<void> => {
    if (readiness.isLeaving) return hurry.abort();
    readiness.leave(replaced);
    const seconds = replaced ? Math.max(delay, LEAST_OF_REPLACED) : delay;
    await pause(seconds * 1000, undefined, { signal: hurry.signal }).catch(() => undefined);
    // By exit, with 0 and the last log lines written, and not by sending itself the signal again.
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
