import { AsyncLocalStorage } from 'node:async_hooks';
import { Logger } from '@nestjs/common';
import { currentRequest } from '../context/current-request';
import { currentUnit } from './unit-of-work';

/** A transaction of `Database.transaction`. All code that the transaction runs or starts can read this object. */
interface TransactionScope {
  hasEnded: boolean;
}

const scopes = new AsyncLocalStorage<TransactionScope>();
const log = new Logger('Database');
const logged = new Set<string>();

/**
 * Logs an error for the statement. Each statement is logged only once, because it may run a thousand times a minute.
 */
function logOnce(statement: string): void {
  if (logged.has(statement)) return;
  logged.add(statement);
  log.error(
    `${statement} takes a second connection inside a transaction. If all connections of the pool are held by such requests, the requests wait for each other. Run the statement before the transaction, or use the \`tx\` of the transaction.`,
  );
}

let report = logOnce;

/**
 * Sets a handler that replaces logging; tests use it to throw (libs/testing/one-connection.ts). Null: the statement is
 * logged, as in production.
 */
export function onSecondConnection(handler: ((statement: string) => void) | null): void {
  report = handler ?? logOnce;
}

/** Runs the work of a transaction, which holds a connection. Until the work ends, second connections are reported. */
export async function holdingConnection<T>(work: () => Promise<T>): Promise<T> {
  const scope: TransactionScope = { hasEnded: false };
  try {
    return await scopes.run(scope, work);
  } finally {
    scope.hasEnded = true;
  }
}

/**
 * Runs `work` outside the context of the current request and transaction. Use this function for work that may continue
 * after the end of the request or transaction, such as a timer.
 */
export function runDetached<T>(work: () => T): T {
  return currentRequest.exit(() => scopes.exit(work));
}

/**
 * Reports a statement that needs a connection, if the request or job of the statement already holds one (OPS-78). If
 * all connections of the pool are held by requests that wait for a second connection, none of these requests can
 * continue, and all of them fail at their timeout.
 */
export function reportSecondConnection(statement: string): void {
  if (scopes.getStore()?.hasEnded === false || currentUnit()?.current) report(statement);
}
