import { hash } from 'node:crypto';

/**
 * What a request asks for, as 43 letters: of two with the same key both must ask for the same (RETRY-9).
 * @param url as sent, with its query
 * @param content `contentOf` a JSON body, or a `FormDigest`'s
 */
export function fingerprintOf(method: string, url: string, content: string): string {
  return hash('sha256', `${method}\n${url}\n${content}`, 'base64url');
}

/** A JSON body by its value: the order of its fields and the way it is written do not count. Nothing at all is nothing. */
export function contentOf(body: unknown): string {
  return body === undefined || body === null ? '' : ordered(body);
}

function ordered(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(ordered).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${ordered(field)}`).join(',')}}`;
}
