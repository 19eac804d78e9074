import { AsyncLocalStorage } from 'node:async_hooks';
import type { Queryable, Statement, Transaction } from '#platform/database/database';

/** A call of the library: its adapter works in the transaction, if there is one. */
export interface Call {
  readonly tx: Queryable | null;
  /** The address of the client, for the limit of registrations. */
  readonly ip: string;
  /** An error that the library would answer with 500. */
  error: unknown;
  /** The response of the library. */
  answer: LibraryAnswer | null;
}

export interface LibraryAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: string;
  /** The error, where a person sees it instead of the app. */
  readonly shown: { readonly error: string; readonly error_description?: string } | null;
}

export const currentCall = new AsyncLocalStorage<Call>();

export function callWith(tx: Transaction | null, ip = ''): Call {
  return { tx: tx && inTurn(tx), ip, error: null, answer: null };
}

/** The library asks for several things at once, and a transaction runs one statement at a time. */
function inTurn(tx: Transaction): Queryable {
  let last: Promise<unknown> = Promise.resolve();
  return {
    rows: <Row extends object>(sql: Statement, values: readonly unknown[] = []): Promise<Row[]> => {
      const rows = last.then(() => tx.rows<Row>(sql, values));
      last = rows.catch(() => undefined);
      return rows;
    },
  };
}
