import { randomBytes } from 'node:crypto';

/**
 * The name of a stored picture or video, as in rows: `3f…c0.jpg`. 160 random bits: whether the file may be read depends
 * on knowing its address, which cannot be guessed. Its derived files (thumbnail, poster) are named after it, so a row
 * needs this column only.
 */
export type MediaKey = string;

/** The file types that this service creates and serves, with the content type of each. */
const CONTENT_TYPES = { jpg: 'image/jpeg', webp: 'image/webp', mp4: 'video/mp4' } as const;
export type MediaExtension = keyof typeof CONTENT_TYPES;

const FILE = /^(?<stem>[0-9a-f]{40})(?<companion>-thumb|-poster)?\.(?<extension>jpg|webp|mp4)$/;

/** The beginning of the names of files that can be made again at any time: the sweep deletes them after a day. */
export const DERIVED = 'derived-';

/** A new random key. */
export function newMediaKey(extension: MediaExtension): MediaKey {
  return `${randomBytes(20).toString('hex')}.${extension}`;
}

/** The thumbnail of a picture. */
export function thumbOf(picture: MediaKey): string {
  return picture.replace('.', '-thumb.');
}

/** The poster of a video. */
export function posterOf(video: MediaKey): string {
  return video.replace(/\..*$/, '-poster.jpg');
}

/** All files of a key, starting with its own. */
export function filesOf(key: MediaKey): readonly [string, string] {
  return [key, key.endsWith('.mp4') ? posterOf(key) : thumbOf(key)];
}

/** The key of a stored file, null for other files. */
export function keyOf(file: string): MediaKey | null {
  const found = FILE.exec(file)?.groups;
  if (!found) return null;
  return found.companion === '-poster' ? `${found.stem}.mp4` : `${found.stem}.${found.extension}`;
}

/** The content type of a stored file, by its name only; null for other files. */
export function contentTypeOf(file: string): string | null {
  const extension = FILE.exec(file)?.groups?.extension as MediaExtension | undefined;
  return extension ? CONTENT_TYPES[extension] : null;
}
