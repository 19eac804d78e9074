import type { Readable } from 'node:stream';

/** Bytes of a file, both ends included, as in HTTP's `Range`. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** A file in a listing. */
export interface ListedFile {
  readonly name: string;
  readonly modifiedAt: Date;
}

/**
 * Storage of files: a local folder or an S3 bucket. Names are flat (`storedName` below); a file is written atomically
 * and never changed. Also the injection token of the configured storage.
 */
export abstract class Storage {
  /** Copies the local file at `path` into the storage; durable when the promise resolves. */
  abstract write(name: string, path: string, contentType: string): Promise<void>;

  /** Bytes of the file, null if it does not exist. */
  abstract size(name: string): Promise<number | null>;

  /** The file's bytes (all, or the range, which must lie within the file), null if it does not exist. */
  abstract read(name: string, range?: ByteRange): Promise<Readable | null>;

  /** Deletes the file, if it exists. */
  abstract remove(name: string): Promise<void>;

  /** All files, including those of an interrupted `write`. */
  abstract list(): AsyncIterable<ListedFile>;

  /**
   * Deletes remains of a `write` that began before the time and that are not files; `isOurs` recognizes names.
   * @returns the number of interrupted writes
   */
  removeUnfinished(_before: Date, _isOurs: (name: string) => boolean): Promise<number> {
    return Promise.resolve(0);
  }
}

const SAFE_NAME = /^[a-z0-9][a-z0-9.-]{2,199}$/;

/** The name, after a check that it cannot be a path: lower-case letters, digits, dots and dashes, no slash. */
export function storedName(name: string): string {
  if (!SAFE_NAME.test(name)) throw new Error(`not a name for a stored file: ${JSON.stringify(name)}`);
  return name;
}
