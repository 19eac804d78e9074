import type { Readable } from 'node:stream';

/** Bytes of a file, both ends included, as HTTP's `Range` counts them. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** A file as the sweep sees it. */
export interface ListedFile {
  readonly name: string;
  readonly modifiedAt: Date;
}

/**
 * Where files lie: a local folder or an S3 bucket. Names are flat (`storedName` below), a file is never changed once it
 * is there, and it is there whole or not at all. Also the token by which Nest injects the one that is set up.
 */
export abstract class Storage {
  /** Copies the local file at `path` into the storage; durable when it returns. */
  abstract write(name: string, path: string, contentType: string): Promise<void>;

  /** Bytes of the file, null when there is none. */
  abstract size(name: string): Promise<number | null>;

  /** The file's bytes (all, or the range, which must lie within the file), null when there is none. */
  abstract read(name: string, range?: ByteRange): Promise<Readable | null>;

  /** After it there is no such file; none to begin with is fine. */
  abstract remove(name: string): Promise<void>;

  /** Everything that lies there, what an interrupted `write` left behind included where that is a file. */
  abstract list(): AsyncIterable<ListedFile>;

  /** Removes what a `write` that began before then left behind and that is no file; the names say whose it is. @returns how many writes' */
  removeUnfinished(_before: Date, _isOurs: (name: string) => boolean): Promise<number> {
    return Promise.resolve(0);
  }
}

const SAFE_NAME = /^[a-z0-9][a-z0-9.-]{2,199}$/;

/** The name, once it is sure that no path can be made of it: lower-case letters, digits, dots and dashes, no slash. */
export function storedName(name: string): string {
  if (!SAFE_NAME.test(name)) throw new Error(`not a name for a stored file: ${JSON.stringify(name)}`);
  return name;
}
