import { channel } from 'node:diagnostics_channel';

/** One executed statement. */
export interface StatementRun {
  /** `unprepared` for all statements without a name. */
  readonly name: string;
  /** Milliseconds until the result, including the time that the statement waited for a connection. */
  readonly ms: number;
  readonly failed: boolean;
}

const runs = channel('events:statement');

/**
 * Calls `run`. If there are subscribers, publishes how long the statement took and whether it failed. Without
 * subscribers, the only cost is one comparison.
 */
export function withTiming<T>(name: string, run: () => Promise<T>): Promise<T> {
  return runs.hasSubscribers ? runMeasured(name || 'unprepared', run) : run();
}

async function runMeasured<T>(name: string, run: () => Promise<T>): Promise<T> {
  const began = performance.now();
  let failed = true;
  try {
    const result = await run();
    failed = false;
    return result;
  } finally {
    runs.publish({ name, ms: performance.now() - began, failed } satisfies StatementRun);
  }
}

/** Calls `listener` after each statement. Returns a function that ends these calls. */
export function onStatement(listener: (run: StatementRun) => void): () => void {
  const listen = (run: unknown): void => listener(run as StatementRun);
  runs.subscribe(listen);
  return () => void runs.unsubscribe(listen);
}
