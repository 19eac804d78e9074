import { AsyncLocalStorage } from 'node:async_hooks';
import type { Transaction } from '#platform/database/database';

/** A call of the library: its adapter works in the transaction, if there is one. */
export interface Call {
  readonly tx: Transaction | null;
  /** The address of the client, for the limit of registrations. */
  readonly ip: string;
  /** An error that the library would answer with 500. */
  error: unknown;
  /** What the library answers. */
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
  return { tx, ip, error: null, answer: null };
}
