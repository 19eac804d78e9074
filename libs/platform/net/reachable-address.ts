import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { HostAddress } from './hosts-file';
import { parseUrl } from '../text/url';

/** The checked address to which a request to another server must connect. */
export interface ReachableAddress extends HostAddress {
  readonly url: URL;
}

/**
 * Resolves a host name that an account has entered (`HostNames`). Returns an empty list if the name does not resolve.
 * `reachableAddress` does not catch errors of this function, such as too many lookups.
 */
export type Resolve = (hostname: string) => Promise<readonly HostAddress[]>;

/**
 * The first address of 2000::/3, the globally routable part of IPv6. Addresses outside this part belong to internal
 * networks or to nobody, or are translated (NAT64).
 */
const GLOBAL_UNICAST = ipaddr.IPv6.parse('2000::');
/**
 * Ranges of IPv6 within 2000::/3 that no server uses, in this order: protocol assignments (with Teredo), documentation,
 * 6to4, and a second range for documentation.
 */
const NOT_FOR_SERVERS = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'].map((net) =>
  ipaddr.IPv6.parseCIDR(net),
);
/** Ranges of IPv4 that no server uses: benchmarks, anycast addresses of 6to4 relays, and protocol assignments. */
const NOT_FOR_SERVERS_4 = ['198.18.0.0/15', '192.88.99.0/24', '192.0.0.0/24'].map((net) => ipaddr.IPv4.parseCIDR(net));

/**
 * Whether an address is globally routable: not private, loopback, link-local, mapped, translated, tunnelled or
 * reserved.
 */
export function isGloballyRoutable(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  if (parsed instanceof ipaddr.IPv4) return !NOT_FOR_SERVERS_4.some((net) => parsed.match(net));
  return parsed.match(GLOBAL_UNICAST, 3) && !NOT_FOR_SERVERS.some((net) => parsed.match(net));
}

/**
 * Returns the target of requests to the URL `text`. Null if the service must not send requests there: the URL is
 * invalid, the scheme is not https, the URL contains a user name, a password or port 0, the host name does not resolve,
 * or one of the IP addresses of the host is not globally routable. `allowPrivate` also permits private addresses and
 * http.
 */
export async function reachableAddress(
  text: string,
  allowPrivate: boolean,
  resolve: Resolve,
): Promise<ReachableAddress | null> {
  const url = permittedUrl(text, allowPrivate);
  if (!url) return null;
  const found = await ipAddressesOf(url.hostname, resolve);
  const [first] = found;
  if (!first || (!allowPrivate && !found.every(({ address }) => isGloballyRoutable(address)))) return null;
  return { url, address: first.address, family: first.family };
}

/**
 * Returns a lookup function that resolves every name to the checked address, even if the name now resolves to another
 * address.
 */
export function pinnedTo({ address, family }: HostAddress): LookupFunction {
  return ((_name: string, options: { all?: boolean }, found: (...all: unknown[]) => void) =>
    options.all ? found(null, [{ address, family }]) : found(null, address, family)) as unknown as LookupFunction;
}

function permittedUrl(text: string, allowPrivate: boolean): URL | null {
  const url = /[\s\\]/.test(text) ? null : parseUrl(text);
  if (url === null) return null;
  const isWeb = url.protocol === 'https:' || (allowPrivate && url.protocol === 'http:');
  return isWeb &&
    /^https?:\/\/[^/]/i.test(text) &&
    url.username === '' &&
    url.password === '' &&
    url.port !== '0' &&
    url.hostname !== ''
    ? url
    : null;
}

async function ipAddressesOf(hostname: string, resolve: Resolve): Promise<readonly HostAddress[]> {
  const withoutBrackets = hostname.replace(/^\[|\]$/g, '');
  const family = isIP(withoutBrackets);
  return family === 4 || family === 6 ? [{ address: withoutBrackets, family }] : resolve(withoutBrackets);
}
