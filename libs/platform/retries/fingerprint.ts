import { hash } from 'node:crypto';

/**
 * Returns 43 characters that identify the method, the URL and the content of a request. All requests of an account with
 * the same `Idempotency-Key` must have the same fingerprint (RETRY-9).
 *
 * @param url the URL of the request as it was sent, with its query
 *
 * @param content the result of `contentOf` for a JSON body, or the digest of a form (`FormDigest`)
 */
export function fingerprintOf(method: string, url: string, content: string): string {
  return hash('sha256', `${method}\n${url}\n${content}`, 'base64url');
}

/**
 * Returns the JSON body as text, with fields sorted by name. Returns '' if there is no body, or if the body is null.
 */
export function contentOf(body: unknown): string {
  return body === undefined || body === null ? '' : canonicalJson(body);
}

function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonicalJson(field)}`).join(',')}}`;
}
