import { AsyncLocalStorage } from 'node:async_hooks';
import type { Replica } from './replica';

/** The server of the current reads; null: the primary, which is used after the first commit within the scope. */
export interface ReadingScope {
  replica: Replica | null;
}

/** The server of `Database.rows` within `ReadingDatabase.during`. */
export const readingScopes = new AsyncLocalStorage<ReadingScope>();
