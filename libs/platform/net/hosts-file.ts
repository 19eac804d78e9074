import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';

export interface HostAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

export const LOOPBACK: readonly HostAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];
const HOSTS_FILE = '/etc/hosts';

/**
 * Whether the name is `localhost` or a name below it. These names mean this machine and are never sent to a nameserver
 * (RFC 6761, section 6.3).
 */
export function isLocalhost(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost');
}

/** The addresses in /etc/hosts by name, in the order of the file; empty if the file cannot be read. */
export function readHostsFile(): ReadonlyMap<string, readonly HostAddress[]> {
  let text = '';
  try {
    text = readFileSync(HOSTS_FILE, 'utf8');
  } catch {
    // Without the file there are no local names.
  }
  return hostsOf(text);
}

export function hostsOf(text: string): ReadonlyMap<string, readonly HostAddress[]> {
  const hosts = new Map<string, HostAddress[]>();
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    const family = isIP(address);
    if (family !== 4 && family !== 6) continue;
    for (const name of names.map((one) => one.toLowerCase()))
      hosts.set(name, [...(hosts.get(name) ?? []), { address, family }]);
  }
  return hosts;
}
