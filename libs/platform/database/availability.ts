/**
 * PostgreSQL's error classes for a temporary failure: the connection was lost, resources are exhausted, the server
 * shuts down or has cancelled the query, the disk failed.
 */
const UNAVAILABLE_CLASSES = new Set(['08', '53', '57', '58']);

/**
 * Further error codes: lock_timeout, idle-in-transaction timeout, a read-only standby, and conflicts that remain after
 * all retries.
 */
const UNAVAILABLE_CODES = new Set(['55P03', '25P03', '25006', '40001', '40P01']);

const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

/** The error message if DATABASE_URL contains several servers and none of them takes writes. */
export const NO_PRIMARY = 'no server takes writes now';

/** Parts of the messages of errors without a code: errors of pg, pg-pool, TypeORM and this project. */
const MESSAGES = [
  NO_PRIMARY,
  'timeout exceeded when trying to connect',
  'Connection terminated',
  'Client has encountered a connection error',
  'Client was closed and is not queryable',
  'Query read timeout',
  'Cannot use a pool after calling end',
  'Driver not Connected',
  'Connection is not established',
  // TypeORM throws this error if a transaction has lost its connection before the next statement.
  'Query runner already released',
  'timeout expired',
];

/**
 * Whether a write failed because the new row refers to a row that does not exist. Normally the referenced row has just
 * been deleted, for example by the erasure of an account. A retry of the transaction sees that the referenced row is
 * missing.
 */
export function isMissingReference(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  return code === '23503' && typeof message === 'string' && message.includes('insert or update on table');
}

/**
 * Whether a query failed because the database is unavailable, restarting or overloaded, because of a conflict with
 * other transactions, or because a referenced row was just deleted (`isMissingReference`). The request may succeed a
 * moment later, so the response is 503 `server_error` with Retry-After, not 500.
 */
export function isUnavailable(error: unknown): boolean {
  // `instanceof` is not used, because the error may come from another realm (Node's own modules under jest, or a second
  // copy of a library).
  if (typeof error !== 'object' || error === null) return false;
  const { code, message, driverError, cause } = error as {
    code?: unknown;
    message?: unknown;
    driverError?: unknown;
    cause?: unknown;
  };
  if (typeof code === 'string') {
    if (NETWORK_CODES.has(code) || UNAVAILABLE_CODES.has(code)) return true;
    if (/^[0-9A-Z]{5}$/.test(code) && UNAVAILABLE_CLASSES.has(code.slice(0, 2))) return true;
  }
  if (isMissingReference(error)) return true;
  if (typeof message === 'string' && MESSAGES.some((known) => message.includes(known))) return true;
  return isUnavailable(driverError ?? cause);
}
