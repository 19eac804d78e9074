import { setTimeout as pause } from 'node:timers/promises';
import type { QueryRunner } from 'typeorm';
import { codeOf } from '../text/reason';
import type { Migration } from './migration-files';
import { SET_LOCK_TIMEOUT } from './sql-files';

/** PostgreSQL's error codes: a lock was not available within lock_timeout; there was a deadlock with a running server. */
const [LOCK_NOT_AVAILABLE, DEADLOCK] = ['55P03', '40P01'];
/** Limits how long each following statement of the session waits for a lock: at most $1 milliseconds. */
const SET_SESSION_LOCK_TIMEOUT = `SELECT set_config('lock_timeout', $1::integer::text, false)`;
export const LOCKED_OUT_HINT =
  'Running servers lock tables that the migration needs: stop the servers, or wait for a quieter hour, and run migrate again. It continues with the first migration that was not applied';
/**
 * Milliseconds that a statement waits for a lock, for each attempt. The first waits are shorter than PostgreSQL's
 * deadlock_timeout (1 s): if the migration and a request wait for each other, the migration is rolled back before
 * PostgreSQL aborts the request. Later waits are longer, for tables that long queries use constantly.
 */
export const LOCK_TIMEOUTS_MS = Array.from({ length: 60 }, (_, attempt) =>
  Math.min(Math.round(50 * 1.1 ** attempt), 2_000),
);

/**
 * Runs `work` with the first lock timeout. If `work` fails with an error for which `isRetryable` returns true (by
 * default: no lock within this time, or a deadlock), `work` is repeated after a pause, with the next timeout. Therefore
 * `work` must be repeatable, or roll its changes back when it fails. A single long wait would block servers: while a
 * migration waits for a lock, all later queries on the table wait too, even reads (OPS-62).
 */
export async function withLockRetries<Result>(
  lockTimeouts: readonly number[],
  work: (lockTimeout: number) => Promise<Result>,
  isRetryable: (error: unknown) => boolean = isLockedOut,
): Promise<Result> {
  for (const timeout of lockTimeouts.slice(0, -1)) {
    try {
      return await work(timeout);
    } catch (error) {
      if (!isRetryable(error)) throw error;
      await pause(timeout);
    }
  }
  return work(lockTimeouts.at(-1)!);
}

export function isLockedOut(error: unknown): boolean {
  return codeOf(error) === LOCK_NOT_AVAILABLE || isDeadlock(error);
}

function isDeadlock(error: unknown): boolean {
  return codeOf(error) === DEADLOCK;
}

/**
 * Returns the migration with retries, and with a name that ends with the number of its file. TypeORM sorts migrations
 * by the 13 digits at the end of their names.
 */
export function retryingMigration(file: string, migration: Migration, lockTimeouts: readonly number[]): Migration {
  return class extends migration {
    override name = `${file}-${file.slice(0, 4).padStart(13, '0')}`;

    override async up(runner: QueryRunner): Promise<void> {
      if (this.transaction === false) {
        const retrying = retryingStatements(runner, lockTimeouts);
        // After a deadlock, an index that was built CONCURRENTLY is invalid, so the whole migration is repeated.
        await withLockRetries(lockTimeouts, () => super.up(retrying), isDeadlock);
        return;
      }
      await withLockRetries(lockTimeouts, async (timeout) => {
        await runner.query('SAVEPOINT attempt');
        await runner.query(SET_LOCK_TIMEOUT, [timeout]);
        try {
          if (this.locks) await runner.query(lockTogether(this.locks));
          await super.up(runner);
        } catch (error) {
          // This also releases the locks that the attempt has got.
          await runner.query('ROLLBACK TO SAVEPOINT attempt');
          throw error;
        }
      });
    }
  };
}

/**
 * Returns SQL that tries for a second to lock all tables at once, without waiting for any of them. If a migration
 * locked one table and waited for the next, it could be in a deadlock with a request that uses both tables in the
 * opposite order. If the tables cannot be locked at once within this second, the migration's own statements wait for
 * the locks.
 */
function lockTogether(tables: readonly string[]): string {
  return `DO $$
    BEGIN
      FOR attempt IN 1..50 LOOP
        BEGIN
          LOCK TABLE ${tables.join(', ')} IN ACCESS EXCLUSIVE MODE NOWAIT;
          RETURN;
        EXCEPTION WHEN lock_not_available THEN
          PERFORM pg_sleep(0.02);
        END;
      END LOOP;
    END $$`;
}

/**
 * Returns a runner for statements outside a transaction. A statement that does not get a lock changes nothing, so the
 * runner repeats only this statement. CREATE and DROP INDEX CONCURRENTLY wait for open transactions of any duration,
 * but block no query meanwhile, so they have no `lock_timeout`.
 */
function retryingStatements(runner: QueryRunner, lockTimeouts: readonly number[]): QueryRunner {
  const query = async (text: string, values?: unknown[]): Promise<unknown> => {
    const timeouts = /\bINDEX CONCURRENTLY\b/.test(text) ? [0] : lockTimeouts;
    try {
      return await withLockRetries(timeouts, async (timeout) => {
        await runner.query(SET_SESSION_LOCK_TIMEOUT, [timeout]);
        return (await runner.query(text, values)) as unknown;
      });
    } finally {
      await runner.query('RESET lock_timeout');
    }
  };
  return Object.assign(Object.create(runner) as QueryRunner, { query });
}
