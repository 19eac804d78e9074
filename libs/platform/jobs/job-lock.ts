import type { PoolClient } from 'pg';
import type { DataSource } from 'typeorm';

/** The first half of the advisory lock's key (the text "jobs" in ASCII). No other locks begin with it. */
const JOBS = 0x6a6f6273;

/** `held`: another process, or another run in this process, has the lock. */
type Locked<T> = { readonly held: true } | { readonly held: false; readonly value: T };

/**
 * Runs `work` while holding the job's advisory lock, or returns that another run holds it; never waits. The lock
 * belongs to a connection, so one of the pool's is held for the whole run. The lock ends with the connection, also if
 * the process dies; `work` is notified of a lost connection by its signal.
 */
export async function withJobLock<T>(
  dataSource: DataSource,
  job: string,
  work: (lost: AbortSignal) => Promise<T>,
): Promise<Locked<T>> {
  const runner = dataSource.createQueryRunner();
  const lost = new AbortController();
  const onError = (error: Error) => lost.abort(error);
  const client = (await runner.connect()) as PoolClient;
  try {
    client.on('error', onError);
    if (!(await queryLock(client, 'SELECT pg_try_advisory_lock($1, hashtext($2)) AS answer', job)))
      return { held: true };
    try {
      return { held: false, value: await work(lost.signal) };
    } finally {
      await unlock(client, job);
    }
  } finally {
    client.off('error', onError);
    await runner.release();
  }
}

/** A connection that may still hold the lock must not return to the pool: it is closed. */
async function unlock(client: PoolClient & { end?: () => Promise<void> }, job: string): Promise<void> {
  const released = await queryLock(client, 'SELECT pg_advisory_unlock($1, hashtext($2)) AS answer', job).catch(
    () => false,
  );
  if (!released) void client.end?.().catch(() => undefined);
}

async function queryLock(client: PoolClient, question: string, job: string): Promise<boolean> {
  const { rows } = await client.query<{ answer: boolean }>(question, [JOBS, job]);
  return rows[0]?.answer === true;
}
