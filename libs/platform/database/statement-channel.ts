import { channel } from 'node:diagnostics_channel';

/** One statement that was asked of the database. */
export interface StatementRun {
  readonly name: string;
  /** Milliseconds until the answer, waiting for a connection included. */
  readonly ms: number;
  readonly failed: boolean;
}

const runs = channel('events:statement');

/** Asks, and tells whoever listens how long it took. Without a listener this costs one comparison. */
export function timed<T>(name: string, ask: () => Promise<T>): Promise<T> {
  return runs.hasSubscribers ? traced(name, ask) : ask();
}

async function traced<T>(name: string, ask: () => Promise<T>): Promise<T> {
  const began = performance.now();
  let failed = true;
  try {
    const answer = await ask();
    failed = false;
    return answer;
  } finally {
    runs.publish({ name, ms: performance.now() - began, failed } satisfies StatementRun);
  }
}

/** @returns what ends the listening */
export function onStatement(listener: (run: StatementRun) => void): () => void {
  const listen = (run: unknown): void => listener(run as StatementRun);
  runs.subscribe(listen);
  return () => void runs.unsubscribe(listen);
}
