import { AsyncLocalStorage } from 'node:async_hooks';
import { Logger } from '@nestjs/common';
import { currentRequest } from '../context/current-request';
import { currentUnit } from './unit-of-work';

/**
 * The open transaction of `Database.transaction`. All code that the transaction runs or starts can read it.
 */
interface OpenScope {
  isOver: boolean;
}

const scopes = new AsyncLocalStorage<OpenScope>();
const log = new Logger('Database');
const logged = new Set<string>();

/**
 * Names of the statements that were already logged. Each statement is logged once, because a request may run it a
 * thousand times a minute.
 */
function logOnce(statement: string): void {
  if (logged.has(statement)) return;
  logged.add(statement);
  log.error(
    `${statement} takes a second connection inside a transaction: as many requests at once as the pool has connections wait for each other. Run it before the transaction, or by its \`tx\`.`,
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

/** Runs `work` within a transaction that holds a connection. */
export async function holdingConnection<T>(work: () => Promise<T>): Promise<T> {
  const scope: OpenScope = { isOver: false };
  try {
    return await scopes.run(scope, work);
  } finally {
    scope.isOver = true;
  }
}

/** Starts work that may continue after the end of the current request and transaction, such as a timer. */
export function detached<T>(work: () => T): T {
  return currentRequest.exit(() => scopes.exit(work));
}

/**
 * Reports a statement that needs a second connection while its request already holds one (OPS-78). If all connections
 * of the pool are held by such requests, all of them wait until their timeout.
 */
export function refuseSecondConnection(statement: string): void {
  if (scopes.getStore()?.isOver === false || currentUnit()?.current) report(statement);
}
