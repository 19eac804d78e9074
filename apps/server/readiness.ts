import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';

/** Whether a load balancer should send more requests here. It is told of the end before the end begins (OPS-50). */
@Injectable()
export class Readiness {
  private leaving = false;

  get isLeaving(): boolean {
    return this.leaving;
  }

  leave(): void {
    this.leaving = true;
  }
}

const STOPPING = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/**
 * Ends the process when it is told to: "not ready" first, then `delay` seconds in which everything is answered as ever, then `close`.
 * Whoever asks a second time does not want to wait.
 */
export function endWhenTold(readiness: Readiness, delay: number, close: () => Promise<unknown>): void {
  const hurry = new AbortController();
  const end = async (): Promise<void> => {
    if (readiness.isLeaving) return hurry.abort();
    readiness.leave();
    await pause(delay * 1000, undefined, { signal: hurry.signal }).catch(() => undefined);
    // By exit, with 0 and the last log lines written, and not by sending itself the signal again.
    await close().then(() => process.exit(0), (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
      process.exit(1);
    });
  };
  for (const signal of STOPPING) process.on(signal, () => void end());
}
