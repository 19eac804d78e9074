import { AsyncLocalStorage } from 'node:async_hooks';
import type { Replica } from './replica';

/**
 * The server for the reads of one `ReadingDatabase.during`; null for the primary. After a commit within the scope, its
 * reads use the primary.
 */
export interface ReadingScope {
  replica: Replica | null;
}

/** The server that `Database.rows` uses within `ReadingDatabase.during`. */
export const readingScopes = new AsyncLocalStorage<ReadingScope>();
