/**
 * PostgreSQL's error classes for a temporary failure: connection lost, out of resources, shutting down or cancelled, an
 * error of its disk.
 */
const UNAVAILABLE_CLASSES = new Set(['08', '53', '57', '58']);

/**
 * Further codes: lock_timeout, idle-in-transaction timeout, a read-only standby, conflicts that remain after all
 * retries.
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

/** The error's message if the address has several servers. */
export const NO_PRIMARY = 'no server takes writes now';

/** Messages of pg, pg-pool, TypeORM and this project that have no code. */
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
  // TypeORM noticed before the next statement that the connection was lost in the middle of a transaction.
  'Query runner already released',
  'timeout expired',
];

/**
 * Whether a row could not be written because a row that it refers to was deleted meanwhile, for example by an account's
 * erasure. A retry finds the row missing.
 */
export function isMissingReference(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  return code === '23503' && typeof message === 'string' && message.includes('insert or update on table');
}

/**
 * Whether a query failed because the database is down, restarting or overloaded. The same request may succeed in a
 * moment, so the response is 503 `server_error` with Retry-After, not 500.
 */
export function isUnavailable(error: unknown): boolean {
  // Not instanceof: an error may come from another realm (Node's own under jest, a second copy of a library).
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
