import type { Cluster, ClusterOptions, Redis, RedisOptions } from 'ioredis';
import { clusterOf, sentinelsOf, type ClusterNodes } from '../config/redis-address';

/** Custom commands by name. */
type Scripts = NonNullable<RedisOptions['scripts']>;

/**
 * Milliseconds to wait for the response to a command. The time is short, because every request waits for Redis. If
 * Redis does not answer, requests are delayed, but do not fail.
 */
const COMMAND_TIMEOUT_MS = 150;
const CONNECT_TIMEOUT_MS = 1_000;
/**
 * Milliseconds between two attempts to use a failed Redis again. The intervals between the first attempts to connect
 * are shorter.
 */
export const RETRY_INTERVAL_MS = 1_000;
/**
 * Milliseconds after which a closed connection is destroyed. A timer of ioredis keeps the process running until then.
 */
const DISCONNECT_TIMEOUT_MS = 200;
/** Maximum milliseconds that the start waits for the first connection. */
const START_TIMEOUT_MS = 3_000;

const OPTIONS = {
  lazyConnect: true,
  connectTimeout: CONNECT_TIMEOUT_MS,
  commandTimeout: COMMAND_TIMEOUT_MS,
  disconnectTimeout: DISCONNECT_TIMEOUT_MS,
  // A command that cannot be sent fails immediately. Commands are neither queued nor sent again, because a repeated
  // command could count a request twice.
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  retryStrategy: (attempt: number) => Math.min(attempt * 100, RETRY_INTERVAL_MS),
} satisfies RedisOptions;

const SENTINEL_OPTIONS: RedisOptions = {
  sentinelRetryStrategy: (attempt) => Math.min(attempt * 100, RETRY_INTERVAL_MS),
  sentinelCommandTimeout: CONNECT_TIMEOUT_MS,
  // READONLY is the error of a server that is no longer the primary. The client reconnects, because the sentinels know
  // the new primary.
  reconnectOnError: ({ message }) => message.startsWith('READONLY'),
};

/**
 * Returns the options for a cluster. Every script uses one key, so the script runs on one server of the cluster, and
 * its counts are as exact as with a single Redis.
 */
function clusterOptions({ tls, username, password }: ClusterNodes, scripts: Scripts): ClusterOptions {
  const { retryStrategy, enableOfflineQueue, lazyConnect, ...each } = OPTIONS;
  return {
    lazyConnect,
    enableOfflineQueue,
    scripts,
    clusterRetryStrategy: retryStrategy,
    // A lost server may have executed a command, so the command is not sent again. ioredis still repeats a command that
    // was sent to the wrong server, because that server has not executed the command.
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
    slotsRefreshTimeout: CONNECT_TIMEOUT_MS,
    slotsRefreshInterval: RETRY_INTERVAL_MS,
    redisOptions: {
      ...each,
      ...(username === undefined ? {} : { username }),
      ...(password === undefined ? {} : { password }),
      ...(tls ? { tls: {} } : {}),
    },
    // With TLS, a host name is not replaced by its IP address, because the certificate is for the host name.
    ...(tls
      ? { dnsLookup: (address: string, found: (error: null, address: string) => void) => found(null, address) }
      : {}),
  };
}

/**
 * Connects to the Redis of REDIS_URL and adds the commands of `scripts`. Waits at most three seconds for the first
 * connection. `failure` is the reason if there is no connection yet, and null otherwise. The library `ioredis` is
 * loaded only when this function is called.
 */
export async function connectRedis(
  url: string,
  scripts: Scripts,
): Promise<{ redis: Redis | Cluster; failure: Error | null }> {
  const redis = await clientOf(url, scripts);
  // Errors are reported by the command that fails. Without a listener, ioredis would print each error.
  redis.on('error', () => undefined);
  // ioredis retries connections to the sentinels without end, so this function has its own timeout.
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>(
    (_resolve, reject) =>
      (timer = setTimeout(() => reject(new Error('no sentinel or node has answered in time')), START_TIMEOUT_MS)),
  );
  const connected = connect(redis);
  const failure = await Promise.race([connected, timeout]).then(
    () => null,
    (error: unknown) => error as Error,
  );
  connected.catch(() => undefined);
  clearTimeout(timer);
  return { redis, failure };
}

/**
 * Connects to Redis. In a cluster, connects to all primary servers, so that no request has to wait while its command
 * opens a connection.
 */
async function connect(redis: Redis | Cluster): Promise<void> {
  await redis.connect();
  if ('nodes' in redis)
    await Promise.all(
      redis
        .nodes('master')
        .filter(({ status }) => status === 'wait')
        .map((node) => node.connect()),
    );
}

async function clientOf(url: string, scripts: Scripts): Promise<Redis | Cluster> {
  const { Redis, Cluster } = await import('ioredis');
  const cluster = clusterOf(url);
  if (cluster) return new Cluster([...cluster.nodes], clusterOptions(cluster, scripts));
  const sentinels = sentinelsOf(url);
  const options = { ...OPTIONS, scripts };
  return sentinels
    ? new Redis({ ...options, ...SENTINEL_OPTIONS, ...sentinels, sentinels: [...sentinels.sentinels] })
    : new Redis(url, options);
}
