import type { EnvironmentReader } from './environment';

/** One of the servers that an address of PostgreSQL names. */
export interface NamedServer {
  readonly host: string;
  readonly port: number;
  /** The address with this server alone. */
  readonly url: string;
}

export interface DatabaseAddress {
  /** With one server, as drivers read it: that one, or the first of several. */
  readonly url: string;
  /** Those of which the one that takes writes is meant; none where the address is one server's, whatever it is. */
  readonly servers: readonly NamedServer[];
}

const POSTGRES_PORT = 5432;
const SCHEMES = ['postgres:', 'postgresql:'];
/** As libpq reads it; URLs proper have one host. */
const ADDRESS = /^(?<before>postgres(?:ql)?:\/\/(?:[^/?#]*@)?)(?<hosts>[^@/?#]*)(?<after>[/?#].*)?$/;
/** libpq's word for which server is meant, and what of it leads to one that takes writes. */
const WANTED = /[?&]target_session_attrs=(?<wanted>[^&#]*)/;
const TAKES_WRITES = ['read-write', 'primary'];

/** → null for what is no address. Several hosts always mean the one that takes writes: there is nothing else to do with the others. */
export function databaseAddress(url: string): DatabaseAddress | null {
  const { before = '', hosts = '', after = '' } = ADDRESS.exec(url)?.groups ?? {};
  const wanted = WANTED.exec(after)?.groups?.['wanted'];
  if (!hosts.includes(',') && wanted === undefined) return URL.canParse(url) ? { url, servers: [] } : null;
  const servers = hosts.split(',').map((host) => named(`${before}${host}${after}`));
  if ((wanted !== undefined && !TAKES_WRITES.includes(wanted)) || !servers.every((server) => server !== null))
    return null;
  return { url: servers[0]!.url, servers };
}

function named(url: string): NamedServer | null {
  if (!URL.canParse(url)) return null;
  const { hostname, port } = new URL(url);
  return hostname === ''
    ? null
    : {
        host: decodeURIComponent(hostname.replace(/^\[|\]$/g, '')),
        port: port === '' ? POSTGRES_PORT : Number(port),
        url,
      };
}

/** A setting that is one; a mistake never repeats it, as it may hold a password. */
export function databaseUrl(read: EnvironmentReader, name: string): string | null {
  const text = read.text(name);
  if (text === null || (SCHEMES.some((scheme) => text.startsWith(`${scheme}//`)) && databaseAddress(text))) return text;
  if (!text.includes(',') && !WANTED.test(text)) return read.url(name, SCHEMES);
  read.addError(
    `${name} must be like postgres://user:password@10.0.0.1:5432,10.0.0.2:5432/events?target_session_attrs=read-write.`,
  );
  return null;
}
