import type { Readable } from 'node:stream';

/** A range of bytes. Both ends are included, as in HTTP's `Range`. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** A file in a list. */
export interface ListedFile {
  readonly name: string;
  readonly modifiedAt: Date;
}

/**
 * A storage of files: a local folder or an S3 bucket. Names contain no folders (see `storedName`). A file is written
 * atomically and never changed. This class is also the injection token of the configured storage.
 */
export abstract class Storage {
  /** Copies the local file at `path` into the storage. When the promise resolves, the file is durable. */
  abstract write(name: string, path: string, contentType: string): Promise<void>;

  /** The size of the file in bytes; null if it does not exist. */
  abstract size(name: string): Promise<number | null>;

  /** The bytes of the file or of a range, which must be within the file; null if the file does not exist. */
  abstract read(name: string, range?: ByteRange): Promise<Readable | null>;

  /** Deletes the file, if it exists. */
  abstract remove(name: string): Promise<void>;

  /** All files. A local folder also lists incomplete files of interrupted calls of `write`. */
  abstract list(): AsyncIterable<ListedFile>;

  /**
   * Deletes the remains of interrupted calls of `write` that began before the time `before`. Incomplete files that
   * `list` shows are not deleted. `isOurs` recognizes the names of this service's files.
   *
   * @returns the number of these interrupted calls
   */
  removeUnfinished(_before: Date, _isOurs: (name: string) => boolean): Promise<number> {
    return Promise.resolve(0);
  }
}

const SAFE_NAME = /^[a-z0-9][a-z0-9.-]{2,199}$/;

/**
 * Returns the name, or throws an error if the name could be a path. A name may contain lower-case letters, digits, dots
 * and dashes.
 */
export function storedName(name: string): string {
  if (!SAFE_NAME.test(name)) throw new Error(`not a name for a stored file: ${JSON.stringify(name)}`);
  return name;
}
