import { hash } from 'node:crypto';

/**
 * Identifies a request's content by 43 characters: two requests with the same key must have the same content (RETRY-9).
 * @param url as sent, with its query
 * @param content `contentOf` a JSON body, or a `FormDigest`'s
 */
export function fingerprintOf(method: string, url: string, content: string): string {
  return hash('sha256', `${method}\n${url}\n${content}`, 'base64url');
}

/** A JSON body by value: the order of fields and the formatting do not matter. An absent body is empty. */
export function contentOf(body: unknown): string {
  return body === undefined || body === null ? '' : ordered(body);
}

function ordered(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(ordered).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${ordered(field)}`).join(',')}}`;
}
