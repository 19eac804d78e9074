import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Where a message may go: the address that was looked at is the one that is connected to. */
export interface ReachableAddress {
  readonly url: URL;
  readonly address: string;
  readonly family: 4 | 6;
}

/** How names become addresses; a test has its own. */
export type Resolve = (hostname: string) => Promise<readonly { readonly address: string; readonly family: number }[]>;

const RESOLVE_WITHIN_MS = 5_000;

export const resolveName: Resolve = (hostname) =>
  Promise.race([
    lookup(hostname, { all: true, verbatim: true }),
    new Promise<never>((_resolve, reject) => void setTimeout(() => reject(new Error('the name does not resolve in time')), RESOLVE_WITHIN_MS).unref()),
  ]);

/** The world's part of IPv6; whatever is not in it (NAT64, Teredo's and 6to4's own aside) leads nowhere or inside. */
const GLOBAL_UNICAST = ipaddr.IPv6.parse('2000::');
/** Within that part, but not for servers: protocol assignments (Teredo among them), documentation, 6to4, and documentation again. */
const NOT_FOR_SERVERS = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'].map((net) => ipaddr.IPv6.parseCIDR(net));
/** Besides what ipaddr.js names: benchmarks, and the anycast of 6to4 relays. */
const NOT_FOR_SERVERS_4 = ['198.18.0.0/15', '192.88.99.0/24', '192.0.0.0/24'].map((net) => ipaddr.IPv4.parseCIDR(net));

/** Whether an address is one of the world's: not private, loopback, link-local, mapped, translated, tunnelled or reserved. */
export function isOpenToTheWorld(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  if (parsed instanceof ipaddr.IPv4) return !NOT_FOR_SERVERS_4.some((net) => parsed.match(net));
  return parsed.match(GLOBAL_UNICAST, 3) && !NOT_FOR_SERVERS.some((net) => parsed.match(net));
}

/**
 * Where messages to that address go; null for what may not be reached: anything but https without a login, a name that does not
 * resolve, and one of whose addresses is not the world's. `allowPrivate` lets those and http pass.
 */
export async function reachableAddress(text: string, allowPrivate: boolean, resolve: Resolve = resolveName): Promise<ReachableAddress | null> {
  const url = addressOf(text, allowPrivate);
  if (!url) return null;
  const found = await addressesOf(url.hostname, resolve);
  const [first] = found;
  if (!first || (!allowPrivate && !found.every(({ address }) => isOpenToTheWorld(address)))) return null;
  return { url, address: first.address, family: first.family === 6 ? 6 : 4 };
}

function addressOf(text: string, allowPrivate: boolean): URL | null {
  if (!URL.canParse(text) || /[\s\\]/.test(text)) return null;
  const url = new URL(text);
  const isWeb = url.protocol === 'https:' || (allowPrivate && url.protocol === 'http:');
  return isWeb && /^https?:\/\/[^/]/i.test(text) && url.username === '' && url.password === '' && url.port !== '0' && url.hostname !== '' ? url : null;
}

async function addressesOf(hostname: string, resolve: Resolve): Promise<readonly { readonly address: string; readonly family: number }[]> {
  const bare = hostname.replace(/^\[|\]$/g, '');
  const family = isIP(bare);
  if (family !== 0) return [{ address: bare, family }];
  return resolve(bare).catch(() => []);
}
