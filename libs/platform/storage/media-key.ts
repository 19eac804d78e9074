import { randomBytes } from 'node:crypto';

/**
 * The name of a stored picture or video, as rows keep it: `3f…c0.jpg`. 160 random bits: whoever has the address may see
 * the file, and nobody finds an address by trying. What belongs to it (thumb, poster) is named after it, so a row needs
 * this one column only.
 */
export type MediaKey = string;

/** Kinds of files this service makes and serves, with the one content type each is served with. */
const CONTENT_TYPES = { jpg: 'image/jpeg', webp: 'image/webp', mp4: 'video/mp4' } as const;
export type MediaExtension = keyof typeof CONTENT_TYPES;

const FILE = /^(?<stem>[0-9a-f]{40})(?<companion>-thumb|-poster)?\.(?<extension>jpg|webp|mp4)$/;

/** A new key, unlike any other. */
export function newMediaKey(extension: MediaExtension): MediaKey {
  return `${randomBytes(20).toString('hex')}.${extension}`;
}

/** The small version of a picture. */
export function thumbOf(picture: MediaKey): string {
  return picture.replace('.', '-thumb.');
}

/** The still picture of a video. */
export function posterOf(video: MediaKey): string {
  return video.replace(/\..*$/, '-poster.jpg');
}

/** All files of a key, its own first. */
export function filesOf(key: MediaKey): readonly [string, string] {
  return [key, key.endsWith('.mp4') ? posterOf(key) : thumbOf(key)];
}

/** The key that a stored file belongs to, null when it is none of ours. */
export function keyOf(file: string): MediaKey | null {
  const found = FILE.exec(file)?.groups;
  if (!found) return null;
  return found.companion === '-poster' ? `${found.stem}.mp4` : `${found.stem}.${found.extension}`;
}

/** The content type of one of our files, by its name alone; null for a name that is none of ours. */
export function contentTypeOf(file: string): string | null {
  const extension = FILE.exec(file)?.groups?.extension as MediaExtension | undefined;
  return extension ? CONTENT_TYPES[extension] : null;
}
