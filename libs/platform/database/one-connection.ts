import { AsyncLocalStorage } from 'node:async_hooks';
import { Logger } from '@nestjs/common';
import { currentRequest } from '../context/current-request';
import { currentUnit } from './unit-of-work';

/**
 * An open transaction of `Database.transaction`, available to the code that it runs and to everything that this code
 * starts.
 */
interface OpenScope {
  isOver: boolean;
}

const scopes = new AsyncLocalStorage<OpenScope>();
const log = new Logger('Database');
const logged = new Set<string>();

/** Logs each statement once: such a request may run it a thousand times a minute. */
function logOnce(statement: string): void {
  if (logged.has(statement)) return;
  logged.add(statement);
  log.error(
    `${statement} takes a second connection inside a transaction: as many requests at once as the pool has connections wait for each other. Run it before the transaction, or by its \`tx\`.`,
  );
}

let report = logOnce;

/**
 * Sets a handler that tests use to throw instead of logging (libs/testing/one-connection.ts). Null: log, as in
 * production.
 */
export function onSecondConnection(handler: ((statement: string) => void) | null): void {
  report = handler ?? logOnce;
}

/** Runs the work of a transaction that holds a connection. */
export async function holdingConnection<T>(work: () => Promise<T>): Promise<T> {
  const scope: OpenScope = { isOver: false };
  try {
    return await scopes.run(scope, work);
  } finally {
    scope.isOver = true;
  }
}

/** Starts work that may continue after the current request and transaction, for example a timer. */
export function detached<T>(work: () => T): T {
  return currentRequest.exit(() => scopes.exit(work));
}

/**
 * Reports a statement that would wait for a connection while its own request holds one (OPS-78). With as many such
 * requests as the pool has connections, none of them continues before its timeout.
 */
export function refuseSecondConnection(statement: string): void {
  if (scopes.getStore()?.isOver === false || currentUnit()?.current) report(statement);
}
