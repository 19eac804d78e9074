import type { PoolClient } from 'pg';
import type { DataSource } from 'typeorm';

/** The first half of the advisory lock's key (the text "jobs" in ASCII). The keys of other locks begin differently. */
const JOBS = 0x6a6f6273;

/** `isHeldElsewhere` is true if another process, or another run in this process, has the lock. */
type Locked<T> = { readonly isHeldElsewhere: true } | { readonly isHeldElsewhere: false; readonly value: T };

/**
 * Runs `work` while holding the job's advisory lock. If another run holds the lock, returns `isHeldElsewhere: true`
 * immediately. The lock belongs to one connection of the pool, and no other work uses this connection during the run.
 * When the connection ends, for example because the process dies, the lock is released. If the connection is lost, the
 * signal of `work` is aborted.
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
      return { isHeldElsewhere: true };
    try {
      return { isHeldElsewhere: false, value: await work(lost.signal) };
    } finally {
      await unlock(client, job);
    }
  } finally {
    client.off('error', onError);
    await runner.release();
  }
}

/**
 * Releases the lock. If this fails, closes the connection, because a connection that may still hold the lock must not
 * return to the pool.
 */
async function unlock(client: PoolClient & { end?: () => Promise<void> }, job: string): Promise<void> {
  const released = await queryLock(client, 'SELECT pg_advisory_unlock($1, hashtext($2)) AS answer', job).catch(
    () => false,
  );
  if (!released) void client.end?.().catch(() => undefined);
}

async function queryLock(client: PoolClient, sql: string, job: string): Promise<boolean> {
  const { rows } = await client.query<{ answer: boolean }>(sql, [JOBS, job]);
  return rows[0]?.answer === true;
}
