import type { EnvironmentReader } from './environment';

/** Where Redis Sentinel is asked for the primary. */
export interface Sentinels {
  readonly sentinels: readonly { readonly host: string; readonly port: number }[];
  /** The name under which they watch it. */
  readonly name: string;
  readonly db: number;
  /** Of Redis itself. */
  readonly username?: string;
  readonly password?: string;
}

const SENTINEL_PORT = 26_379;
/** As Lettuce and Spring write it; URLs proper have one host. */
const ADDRESS = /^redis-sentinel:\/\/(?<login>[^@/]*@)?(?<hosts>[^@/?#]+)(?:\/(?<db>\d*))?\?sentinelMasterId=(?<name>[^&#]+)$/;

/** → null for what is no address of sentinels, `redis://…` among them. */
export function sentinelsOf(url: string): Sentinels | null {
  const { login = '', hosts = '', db = '', name = '' } = ADDRESS.exec(url)?.groups ?? {};
  const each = hosts.split(',').map((host) => `redis://${host}`);
  if (name === '' || !each.every((host) => URL.canParse(host) && new URL(host).hostname !== '') || !URL.canParse(`redis://${login}redis`)) return null;
  const { username, password } = new URL(`redis://${login}redis`);
  return {
    sentinels: each.map((host) => new URL(host)).map(({ hostname, port }) => ({ host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? SENTINEL_PORT : Number(port) })),
    name: decodeURIComponent(name),
    db: Number(db),
    ...(username === '' ? {} : { username: decodeURIComponent(username) }),
    ...(password === '' ? {} : { password: decodeURIComponent(password) }),
  };
}

export function redisUrl(read: EnvironmentReader): string | null {
  const text = read.text('REDIS_URL');
  if (!text?.startsWith('redis-sentinel:')) return read.url('REDIS_URL', ['redis:', 'rediss:', 'redis-sentinel:']);
  if (sentinelsOf(text)) return text;
  read.mistake('REDIS_URL must be like redis-sentinel://10.0.0.1:26379,10.0.0.2:26379/0?sentinelMasterId=events.');
  return null;
}
