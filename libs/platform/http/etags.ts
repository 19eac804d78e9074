import { createHash } from 'node:crypto';

/** 128 bits of the SHA-256 of a response body, 22 characters: the same on every server. */
export function digestOf(body: string | Buffer): string {
  return createHash('sha256').update(body).digest('base64url').slice(0, 22);
}

/** The strong tag of a response body, or of the text that the body is built from. */
export function digestTag(body: string | Buffer): string {
  return `"${digestOf(body)}"`;
}

const TAG = /^(?:W\/)?"([\x21\x23-\x7e\x80-\xff]*)"$/;
/** A tag may contain commas, so the list cannot be split at commas. */
const LIST = /^[\s,]*(?:(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"[\s]*(?:,[\s,]*|$))+$/;
const TAGS = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g;

/** The text between the quotes of each tag of a list; `*` for any; null for an invalid header. */
export function opaqueTags(header: string): readonly string[] | '*' | null {
  const text = header.trim();
  if (text === '*') return '*';
  if (!LIST.test(text)) return null;
  return (text.match(TAGS) ?? []).map((tag) => TAG.exec(tag)?.[1] ?? '');
}

/**
 * Whether the tag matches `If-None-Match`, by weak comparison (RFC 9110, 13.1.2). An invalid header counts as absent.
 */
export function isNoneMatchMet(header: string | undefined, etag: string): boolean {
  const tags = header === undefined ? null : opaqueTags(header);
  return tags !== null && (tags === '*' || tags.includes(TAG.exec(etag)?.[1] ?? ''));
}
