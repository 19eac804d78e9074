import { AsyncLocalStorage } from 'node:async_hooks';
import type { Queryable, Statement, Transaction } from '#platform/database/database';

/**
 * The data of one call of the library oidc-provider. If `tx` is not null, the library's storage adapter runs its
 * statements in this transaction.
 */
export interface Call {
  readonly tx: Queryable | null;
  /** The client's IP address, for the limit of registrations. */
  readonly ip: string;
  /** The first error for which the library would respond with 500; null if there is none. */
  error: unknown;
  /** The response of the library; null until there is one. */
  answer: LibraryAnswer | null;
}

/** A response of the library. */
export interface LibraryAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: string;
  /** The error that a web page shows to the person. Null if the response is sent to the app. */
  readonly page: { readonly error: string; readonly error_description?: string } | null;
}

export const currentCall = new AsyncLocalStorage<Call>();

export function callWith(tx: Transaction | null, ip = ''): Call {
  return { tx: tx && inSequence(tx), ip, error: null, answer: null };
}

/**
 * Runs the queries one after another. The library starts several queries in parallel, but a transaction runs only one
 * statement at a time.
 */
function inSequence(tx: Transaction): Queryable {
  let last: Promise<unknown> = Promise.resolve();
  return {
    rows: <Row extends object>(sql: Statement, values: readonly unknown[] = []): Promise<Row[]> => {
      const rows = last.then(() => tx.rows<Row>(sql, values));
      last = rows.catch(() => undefined);
      return rows;
    },
  };
}
