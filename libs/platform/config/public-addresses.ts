import { isIP } from 'node:net';
import { parseUrl } from '../text/url';
import type { EnvironmentReader } from './environment';

/** Reads HOST: the address at which the server listens. */
export function readHost(read: EnvironmentReader): string {
  const host = read.text('HOST') ?? '127.0.0.1';
  if (isIP(host) === 0 && (!/^[\w.-]+$/.test(host) || parseUrl(`http://${host}`) === null))
    read.addError(`HOST must be an address or the name of this machine, not "${host}".`);
  return host;
}

/** Addresses that mean all interfaces of this machine. They cannot be used in links. */
const ALL_INTERFACES = ['0.0.0.0', '::', '[::]'];

/** Reads BASE_URL; null if it is absent or is not a valid URL. */
export function baseUrl(read: EnvironmentReader, production: boolean, host: string): string | null {
  const url = read.url('BASE_URL', ['http:', 'https:']);
  if (url === null) {
    if (read.text('BASE_URL') !== null) return null;
    // Without BASE_URL, links contain HOST. A link with an address such as 0.0.0.0 would lead to the reader's own
    // machine, or nowhere.
    if (host.includes('%')) read.addError(`BASE_URL is required when HOST has a zone: a URL cannot contain ${host}.`);
    else if (production && !isLoopback(host))
      read.addError(
        'BASE_URL is required when NODE_ENV=production and HOST is not a loopback address: set it to the address that people see, like https://events.example.org.',
      );
    return null;
  }
  const { hostname } = new URL(url);
  if (ALL_INTERFACES.includes(hostname))
    read.addError(
      `BASE_URL must be an address people can open, not ${hostname}: this address means all interfaces of this machine.`,
    );
  if (!isBase(url))
    read.addError(
      'BASE_URL must be an address like https://events.example.org, without a query, a fragment or a login.',
    );
  return normalized(url);
}

/**
 * Whether a path can be appended to the URL. The text is searched for the characters `?` and `#`, because `search` and
 * `hash` of `new URL` do not show an empty query or fragment (`https://a.org/?`).
 */
function isBase(url: string): boolean {
  const { href, username, password } = new URL(url);
  return !/[?#]/.test(href) && !username && !password;
}

/**
 * Returns the address as a browser writes it, without slashes at the end. A host name with accents is encoded, because
 * headers such as `Location` contain only ASCII.
 */
function normalized(url: string): string {
  return new URL(url).href.replace(/\/+$/, '');
}

/** Reads MEDIA_BASE_URL; null if it is absent or is not a valid URL. */
export function mediaBaseUrl(read: EnvironmentReader): string | null {
  const url = read.url('MEDIA_BASE_URL', ['http:', 'https:']);
  if (url === null) return null;
  if (!isBase(url))
    read.addError(
      'MEDIA_BASE_URL must be an address like https://media.example.org/files, without a query, a fragment or a login.',
    );
  return normalized(url);
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

/**
 * The proxies whose `X-Forwarded-For` is trusted, in Fastify's form: false (none), their number, or a list of
 * addresses, networks and names (`PROXY_NAMES`).
 */
export type TrustProxy = false | number | readonly string[];

const PROXY_NAMES = ['loopback', 'linklocal', 'uniquelocal'];

/** Whether the text is one of PROXY_NAMES, an address, or a network such as 10.0.0.0/8. */
function isProxy(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (bits === undefined) return version !== 0 || PROXY_NAMES.includes(text);
  return (
    version !== 0 &&
    rest.length === 0 &&
    /^\d{1,3}$/.test(bits) &&
    Number(bits) >= 1 &&
    Number(bits) <= (version === 4 ? 32 : 128)
  );
}

/** Reads TRUST_PROXY. */
export function trustProxy(read: EnvironmentReader): TrustProxy {
  const text = read.text('TRUST_PROXY');
  if (text === null) return false;
  if (/^\d{1,2}$/.test(text)) return Number(text) || false;
  const addresses = text.split(',').map((address) => address.trim());
  if (!addresses.every(isProxy)) {
    read.addError(
      `TRUST_PROXY must be a number of hops or a list of addresses, like 10.0.0.0/8,loopback, not "${text}".`,
    );
  }
  return addresses;
}
