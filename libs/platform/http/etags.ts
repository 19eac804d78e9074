import { createHash } from 'node:crypto';

/** 128 bits of the SHA-256 of an answer's body, 22 letters: the same on every server. */
export function digestOf(body: string | Buffer): string {
  return createHash('sha256').update(body).digest('base64url').slice(0, 22);
}

/** The strong tag of such a body, or of what a body is made of. */
export function digestTag(body: string | Buffer): string {
  return `"${digestOf(body)}"`;
}

const TAG = /^(?:W\/)?"([\x21\x23-\x7e\x80-\xff]*)"$/;
/** A tag may hold commas, so a list is no matter of splitting. */
const LIST = /^[\s,]*(?:(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"[\s]*(?:,[\s,]*|$))+$/;
const TAGS = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g;

/** What stands between the quotes of each tag of a list; `*` for any; null for what is no such header. */
export function opaqueTags(header: string): readonly string[] | '*' | null {
  const text = header.trim();
  if (text === '*') return '*';
  if (!LIST.test(text)) return null;
  return (text.match(TAGS) ?? []).map((tag) => TAG.exec(tag)?.[1] ?? '');
}

/** Whether `If-None-Match` is met by the tag: compared weakly (RFC 9110, 13.1.2). What cannot be read counts as absent. */
export function isNoneMatchMet(header: string | undefined, etag: string): boolean {
  const tags = header === undefined ? null : opaqueTags(header);
  return tags !== null && (tags === '*' || tags.includes(TAG.exec(etag)?.[1] ?? ''));
}
