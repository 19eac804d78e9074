import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { MESSAGES } from '#platform/workers/messages';
import { STOP_SIGNALS, thisWorker, type Worker } from '#platform/workers/worker';

/**
 * Whether a load balancer should send further requests to this process. During a shutdown the process first reports
 * that it is not ready, and stops serving later (OPS-50).
 */
@Injectable()
export class Readiness {
  /** Only `leave` sets this value. */
  isLeaving = false;
  private replaced = false;

  /** A worker that is being replaced still reports "ready", because the other workers listen on the same port. */
  get isReady(): boolean {
    return !this.isLeaving || this.replaced;
  }

  leave(replaced = false): void {
    this.isLeaving = true;
    this.replaced = replaced;
  }
}

/** A replaced worker serves for at least this many seconds. During this time its responses close their connections. */
const MIN_REPLACED_DELAY = 2;

/**
 * Sends a message to the primary process twice, and waits for each response. While the port of this worker is being
 * closed, the primary may still pass connections to this worker. The worker returns these connections, and the primary
 * passes them to another worker. When the first response arrives, this worker has received all these connections. When
 * the second response arrives, the primary has all of them again. If the worker exited earlier, connections would be
 * lost.
 */
async function waitForReturnedConnections(worker: Worker | null): Promise<void> {
  for (let n = 0; worker && n < 2; n++) await worker.primary.ask(MESSAGES.leaving).catch(() => undefined);
}

/**
 * Ends the process after a signal or a message of the primary process. The process reports "not ready" and serves
 * requests for `delay` more seconds; then `close` runs. A replaced worker still reports "ready", and serves for at
 * least MIN_REPLACED_DELAY seconds. A second signal or message skips the rest of this time.
 *
 * A worker ends at a message of the primary process or at SIGTERM. Workers ignore SIGINT and SIGHUP, because a terminal
 * sends these signals to all processes. A single process also ends at SIGUSR2, because without a handler this signal
 * would kill the process immediately. (With several workers, the primary process replaces the workers on SIGUSR2.)
 */
export function endOnSignalOrMessage(readiness: Readiness, delay: number, close: () => Promise<unknown>): void {
  const skipDelay = new AbortController();
  const worker = thisWorker();
  const end = async (replaced = false): Promise<void> => {
    if (readiness.isLeaving) return skipDelay.abort();
    readiness.leave(replaced);
    const seconds = replaced ? Math.max(delay, MIN_REPLACED_DELAY) : delay;
    await pause(seconds * 1000, undefined, { signal: skipDelay.signal }).catch(() => undefined);
    // The exit status is 0. Nest's own shutdown hooks would end the process by the same signal instead.
    await close()
      .then(() => waitForReturnedConnections(worker))
      .then(
        () => process.exit(0),
        (error: unknown) => {
          process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
          process.exit(1);
        },
      );
  };
  for (const signal of STOP_SIGNALS)
    process.on(signal, () => (worker && signal !== 'SIGTERM' ? undefined : void end()));
  if (!worker) process.on('SIGUSR2', () => void end());
  worker?.primary.handle(MESSAGES.end, () => void end());
  worker?.primary.handle(MESSAGES.replaced, () => void end(true));
}
