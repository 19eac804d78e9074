import { parseUrl } from '#platform/text/url';

/**
 * Matches an address of the local computer, where an app may listen on any port. The text of the address is matched,
 * because the class `URL` would convert `127.1` to a loopback address.
 */
const LOOPBACK = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(:\d{1,5})?([/?]|$)/;
const PRIVATE_SCHEME = /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/;
/** Printable ASCII without space, backslash and `*`. */
const ALLOWED_CHARACTERS = /^[!-)+-[\]-~]+$/;

/**
 * The target of a redirect address: a site, the local computer, or an app with a private-use scheme
 * (`com.example.app`).
 */
export type RedirectTarget =
  | { readonly kind: 'site'; readonly host: string }
  | { readonly kind: 'computer' }
  | { readonly kind: 'scheme'; readonly scheme: string };

/** The target of the address; null for an address that no app may have (APP-9). */
export function redirectTarget(address: string): RedirectTarget | null {
  const url = ALLOWED_CHARACTERS.test(address) ? parseUrl(address) : null;
  if (url === null) return null;
  if (address.includes('#') || url.username !== '' || url.password !== '' || /^[a-z]+:\/\/[^/?]*@/i.test(address))
    return null;
  if (url.protocol === 'https:') return isWeb(address) ? { kind: 'site', host: url.host } : null;
  if (url.protocol === 'http:') return LOOPBACK.test(address) ? { kind: 'computer' } : null;
  return PRIVATE_SCHEME.test(url.protocol) ? { kind: 'scheme', scheme: url.protocol.slice(0, -1) } : null;
}

/** Whether the app is native: one of its addresses is on the local computer or has a private-use scheme. */
export function isNative(addresses: readonly string[]): boolean {
  return addresses.some((address) => redirectTarget(address)?.kind !== 'site');
}

/** The source for `form-action` (Content-Security-Policy) of a page whose form may redirect to this address. */
export function formActionOf(address: string): string {
  const url = new URL(address);
  // A content security policy has no syntax for IPv6 addresses.
  if (url.hostname === '[::1]') return 'http:';
  return url.protocol === 'https:' || url.protocol === 'http:' ? url.origin : url.protocol;
}

/**
 * False for texts such as `https:host`, which the class `URL` accepts although RFC 3986 requires `//` before a host.
 */
function isWeb(address: string): boolean {
  return /^https?:\/\/[^/]/i.test(address);
}
