import { percentDecoded, type EnvironmentReader } from './environment';
import { parseUrl } from '../text/url';

/** The address of a Redis with sentinels. The sentinels know which server of this Redis is the primary. */
export interface Sentinels {
  readonly sentinels: readonly { readonly host: string; readonly port: number }[];
  /** The name under which the sentinels know this Redis. */
  readonly name: string;
  readonly db: number;
  /** The user name and password for Redis, not for the sentinels. */
  readonly username?: string;
  readonly password?: string;
}

/** A Redis cluster. `nodes` contains the servers that the URL names; they may be only some of the cluster's servers. */
export interface ClusterNodes {
  readonly nodes: readonly { readonly host: string; readonly port: number }[];
  readonly tls: boolean;
  readonly username?: string;
  readonly password?: string;
}

const SENTINEL_PORT = 26_379;
const REDIS_PORT = 6_379;
/** The syntax of the Java clients Lettuce and Spring for several hosts. A standard URL has only one host. */
const SENTINELS =
  /^redis-sentinel:\/\/(?<login>[^@/]*@)?(?<hosts>[^@/?#]+)(?:\/(?<db>\d*))?\?sentinelMasterId=(?<name>[^&#]+)$/;
/** The syntax for a cluster. It has no database number, because a cluster has only one database. */
const CLUSTER = /^(?<scheme>rediss?)-cluster:\/\/(?<login>[^@/]*@)?(?<hosts>[^@/?#]+)\/?$/;

/** Parses the URL of sentinels. Returns null for an invalid URL and for other URLs, such as `redis://…`. */
export function sentinelsOf(url: string): Sentinels | null {
  const { login = '', hosts = '', db = '', name = '' } = SENTINELS.exec(url)?.groups ?? {};
  const sentinels = serversOf(hosts, SENTINEL_PORT);
  const [decodedName, account] = [percentDecoded(name), accountOf(login)];
  return !decodedName || sentinels === null || account === null
    ? null
    : { sentinels, name: decodedName, db: Number(db), ...account };
}

/** Parses the URL of a cluster. Returns null for an invalid URL and for other URLs. */
export function clusterOf(url: string): ClusterNodes | null {
  const { scheme = '', login = '', hosts = '' } = CLUSTER.exec(url)?.groups ?? {};
  const [nodes, account] = [serversOf(hosts, REDIS_PORT), accountOf(login)];
  return scheme === '' || nodes === null || account === null ? null : { nodes, tls: scheme === 'rediss', ...account };
}

function serversOf(hosts: string, port: number): { host: string; port: number }[] | null {
  const urls = hosts.split(',').map((host) => parseUrl(`redis://${host}`));
  if (!urls.every((url): url is URL => url !== null && url.hostname !== '')) return null;
  return urls.map((url) => ({
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? port : Number(url.port),
  }));
}

function accountOf(login: string): { username?: string; password?: string } | null {
  const url = parseUrl(`redis://${login}redis`);
  if (url === null) return null;
  const [username, password] = [percentDecoded(url.username), percentDecoded(url.password)];
  if (username === null || password === null) return null;
  return { ...(username === '' ? {} : { username }), ...(password === '' ? {} : { password }) };
}

/**
 * Reads REDIS_URL; returns null if the setting is absent or invalid. Error messages do not contain the value, because
 * the URL may contain a password.
 */
export function redisUrl(read: EnvironmentReader): string | null {
  const text = read.urlText('REDIS_URL') ?? '';
  const isSentinels = text.startsWith('redis-sentinel:');
  if (!isSentinels && !/^rediss?-cluster:/.test(text))
    return read.url('REDIS_URL', ['redis:', 'rediss:', 'redis-sentinel:', 'redis-cluster:', 'rediss-cluster:']);
  if (sentinelsOf(text) ?? clusterOf(text)) return text;
  read.addError(
    `REDIS_URL must be like ${isSentinels ? 'redis-sentinel://10.0.0.1:26379,10.0.0.2:26379/0?sentinelMasterId=events' : 'redis-cluster://10.0.0.1:6379,10.0.0.2:6379'}.`,
  );
  return null;
}
