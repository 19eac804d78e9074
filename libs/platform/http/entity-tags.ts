import { createHash } from 'node:crypto';

/** A strong entity tag of some content: the same bytes, the same tag, on every server. */
export function entityTagOf(content: string | Buffer): string {
  return `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;
}

/** Whether `If-None-Match` names this tag (RFC 9110, 13.1.2): a list, compared weakly, or `*`. */
export function isNamedBy(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === tag);
}
