import { AsyncLocalStorage } from 'node:async_hooks';
import type { Replica } from './replica';

/**
 * The server for the reads within one call of `ReadingDatabase.during`: a replica, or the primary if `replica` is null.
 * A commit within the scope sets `replica` to null, so later reads use the primary.
 */
export interface ReadingScope {
  replica: Replica | null;
}

/** The server that `Database.rows` uses within `ReadingDatabase.during`. */
export const readingScopes = new AsyncLocalStorage<ReadingScope>();
