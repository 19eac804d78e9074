import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { Queryable } from '#platform/database/database';
import type { KeyedHashes } from '../secrets';
import type { LibraryTimes } from './library-times';

/** The database access, times, keyed hashes and IP address that the adapters use in a call of the library. */
export interface Storage {
  /** For reads: the transaction of the call; without a transaction, the database. */
  readonly reads: Queryable;
  /** For writes: the transaction of the call. Without a transaction, each statement is committed separately. */
  readonly writes: Queryable;
  readonly times: LibraryTimes;
  readonly keyedHashes: KeyedHashes;
  readonly ip: string;
}

/** Returns the storage for the current call of the library. */
export type StorageOfCall = () => Storage;

/**
 * An adapter that stores nothing and finds nothing. It is used for models that this service does not need, and is the
 * base class of the other adapters.
 */
export class NullAdapter implements Adapter {
  async upsert(..._stored: Parameters<Adapter['upsert']>): Promise<void> {}

  async find(_id: string): Promise<AdapterPayload | undefined> {
    return undefined;
  }

  async findByUserCode(_code: string): Promise<AdapterPayload | undefined> {
    return undefined;
  }

  async findByUid(): Promise<undefined> {}

  async consume(_id: string): Promise<void> {}

  async destroy(_id: string): Promise<void> {}

  /** Does nothing, because the rows are deleted with the grant. */
  async revokeByGrantId(): Promise<void> {}
}
