import { createHash } from 'node:crypto';

/**
 * A digest of a response body: the first 22 characters (132 bits) of its SHA-256 in base64url. All servers compute the
 * same digest of a body.
 */
export function digestOf(body: string | Buffer): string {
  return createHash('sha256').update(body).digest('base64url').slice(0, 22);
}

/** Returns the strong tag of a response body, or of a text from which the body is built. */
export function digestTag(body: string | Buffer): string {
  return `"${digestOf(body)}"`;
}

const TAG = /^(?:W\/)?"([\x21\x23-\x7e\x80-\xff]*)"$/;
/** Matches a list of tags. The list cannot be split at commas, because tags may contain commas. */
const LIST = /^[\s,]*(?:(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"[\s]*(?:,[\s,]*|$))+$/;
const TAGS = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g;

/**
 * Returns the text between the quotes of each tag in the list; `*` if the header is `*`; null if the header is invalid.
 */
export function opaqueTags(header: string): readonly string[] | '*' | null {
  const text = header.trim();
  if (text === '*') return '*';
  if (!LIST.test(text)) return null;
  return (text.match(TAGS) ?? []).map((tag) => TAG.exec(tag)?.[1] ?? '');
}

/**
 * Whether the tag matches `If-None-Match` by weak comparison (RFC 9110, 13.1.2). False if the header is absent or
 * invalid.
 */
export function matchesIfNoneMatch(header: string | undefined, etag: string): boolean {
  const tags = header === undefined ? null : opaqueTags(header);
  return tags !== null && (tags === '*' || tags.includes(TAG.exec(etag)?.[1] ?? ''));
}
