import { AsyncLocalStorage } from 'node:async_hooks';
import type { Replica } from './replica';

/** What is read from where; null: from the primary, from the first commit in its course on. */
export interface ReadingScope {
  replica: Replica | null;
}

/** Where `Database.rows` reads, within `ReadingDatabase.during`. */
export const readingScopes = new AsyncLocalStorage<ReadingScope>();
