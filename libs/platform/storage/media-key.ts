import { randomBytes } from 'node:crypto';

/**
 * The name of a picture or video in the storage and in rows of the database: `3f…c0.jpg`. Its 160 random bits protect
 * the file: everybody who knows the address can read the file, and nobody can guess the address. The names of the
 * companion files (thumbnail, poster) contain the random part of the key, so a row stores only the key.
 */
export type MediaKey = string;

/** The file types that this service creates and serves, with the content type of each. */
const CONTENT_TYPES = { jpg: 'image/jpeg', webp: 'image/webp', mp4: 'video/mp4' } as const;
export type MediaExtension = keyof typeof CONTENT_TYPES;

const FILE = /^(?<stem>[0-9a-f]{40})(?<companion>-thumb|-poster)?\.(?<extension>jpg|webp|mp4)$/;

/**
 * The prefix of the names of derived files, which have no key and can be created again at any time. The job
 * `media-sweep` deletes these files after a day.
 */
export const DERIVED = 'derived-';

/** `Cache-Control` of a file: caches may store it for a year, because its name is never used for another file. */
export const CACHED_FOR_A_YEAR = 'public, max-age=31536000, immutable';

/** A new random key. */
export function newMediaKey(extension: MediaExtension): MediaKey {
  return `${randomBytes(20).toString('hex')}.${extension}`;
}

/** The name of a picture's thumbnail. */
export function thumbOf(picture: MediaKey): string {
  return picture.replace('.', '-thumb.');
}

/** The name of a video's poster. */
export function posterOf(video: MediaKey): string {
  return video.replace(/\..*$/, '-poster.jpg');
}

/** The names of all files with this key; the first one is the key itself. */
export function filesOf(key: MediaKey): readonly [string, string] {
  return [key, key.endsWith('.mp4') ? posterOf(key) : thumbOf(key)];
}

/** The key to which the file with this name belongs; null for a name that is neither a key nor a companion file. */
export function keyOf(file: string): MediaKey | null {
  const found = FILE.exec(file)?.groups;
  if (!found) return null;
  return found.companion === '-poster' ? `${found.stem}.mp4` : `${found.stem}.${found.extension}`;
}

/** The content type of a key's file or companion file, determined by its name; null for other names. */
export function contentTypeOf(file: string): string | null {
  const extension = FILE.exec(file)?.groups?.extension as MediaExtension | undefined;
  return extension ? CONTENT_TYPES[extension] : null;
}
