import { percentDecoded, type EnvironmentReader } from './environment';
import { parseUrl } from '../text/url';

/** One of the servers in the URL of a database. */
export interface NamedServer {
  readonly host: string;
  readonly port: number;
  /** The URL with only this server. */
  readonly url: string;
}

export interface DatabaseAddress {
  /** The URL with only its first server, because drivers accept only one server. */
  readonly url: string;
  /**
   * The servers of a URL with several servers or with `target_session_attrs`; empty for other URLs. The service uses
   * the server that takes writes.
   */
  readonly servers: readonly NamedServer[];
}

export const POSTGRES_PORT = 5432;
export const SCHEMES = ['postgres:', 'postgresql:'];
/** The syntax of libpq for several hosts; a standard URL has one host. */
const ADDRESS = /^(?<before>postgres(?:ql)?:\/\/(?:[^/?#]*@)?)(?<hosts>[^@/?#]*)(?<after>[/?#].*)?$/;
/** The parameter of libpq that selects a server, and the values that select the primary. */
const TARGET = /[?&]target_session_attrs=(?<target>[^&#]*)/;
const TAKES_WRITES = ['read-write', 'primary'];

/**
 * Parses a URL; returns null if it is invalid. If the URL has several hosts, the service uses the host that takes
 * writes, even if the parameter `target_session_attrs` is absent. A URL is also invalid if this parameter has a value
 * other than `read-write` and `primary`.
 */
export function databaseAddress(url: string): DatabaseAddress | null {
  const { before = '', hosts = '', after = '' } = ADDRESS.exec(url)?.groups ?? {};
  const target = TARGET.exec(after)?.groups?.['target'];
  if (!hosts.includes(',') && target === undefined) return parseUrl(url) ? { url, servers: [] } : null;
  const servers = hosts.split(',').map((host) => parseServer(`${before}${host}${after}`));
  if ((target !== undefined && !TAKES_WRITES.includes(target)) || !servers.every((server) => server !== null))
    return null;
  return { url: servers[0]!.url, servers };
}

/** Returns the URL of another database on the same servers. */
export function withDatabase(url: string, database: string): string {
  const { before = '', hosts = '', after = '' } = ADDRESS.exec(url)?.groups ?? {};
  return `${before}${hosts}/${database}${after.replace(/^\/[^?#]*/, '')}`;
}

function parseServer(url: string): NamedServer | null {
  const parsed = parseUrl(url);
  if (parsed === null) return null;
  const { hostname, port } = parsed;
  const host = percentDecoded(hostname.replace(/^\[|\]$/g, ''));
  return host ? { host, port: port === '' ? POSTGRES_PORT : Number(port), url } : null;
}

/**
 * Reads a setting whose value is the URL of a database; returns null if the setting is absent or invalid. Error
 * messages do not contain the value, because the URL may contain a password.
 */
export function databaseUrl(read: EnvironmentReader, name: string): string | null {
  const text = read.urlText(name);
  if (text === null || (SCHEMES.some((scheme) => text.startsWith(`${scheme}//`)) && databaseAddress(text))) return text;
  if (!text.includes(',') && !TARGET.test(text)) return read.url(name, SCHEMES);
  read.addError(
    `${name} must be like postgres://user:password@10.0.0.1:5432,10.0.0.2:5432/events?target_session_attrs=read-write.`,
  );
  return null;
}
