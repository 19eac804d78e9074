import type { Cluster, ClusterOptions, Redis, RedisOptions } from 'ioredis';
import { clusterOf, sentinelsOf, type ClusterNodes } from '../config/redis-address';

/** Custom commands by name. */
type Scripts = NonNullable<RedisOptions['scripts']>;

/**
 * Milliseconds for a command. The time is short, because every request waits for Redis. A Redis that does not answer
 * delays requests, but does not make them fail.
 */
const ANSWERS_WITHIN_MS = 150;
const CONNECTS_WITHIN_MS = 1_000;
/** Milliseconds between two attempts to connect after a failure. */
export const ASKED_AGAIN_AFTER_MS = 1_000;
/** Milliseconds that the start waits for the first connection. */
const FOUND_WITHIN_MS = 3_000;

const OPTIONS = {
  lazyConnect: true,
  connectTimeout: CONNECTS_WITHIN_MS,
  commandTimeout: ANSWERS_WITHIN_MS,
  // A command that cannot be sent fails immediately. It is neither queued nor sent again, because it could count twice.
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  retryStrategy: (attempt: number) => Math.min(attempt * 100, ASKED_AGAIN_AFTER_MS),
} satisfies RedisOptions;

const BY_SENTINELS: RedisOptions = {
  sentinelRetryStrategy: (attempt) => Math.min(attempt * 100, ASKED_AGAIN_AFTER_MS),
  sentinelCommandTimeout: CONNECTS_WITHIN_MS,
  // The error of a server that is no longer the primary. The sentinels know the new primary.
  reconnectOnError: ({ message }) => message.startsWith('READONLY'),
};

/** Every script uses one key, so it runs on one server of a cluster, and counts as exactly as on a single Redis. */
function byCluster({ tls, username, password }: ClusterNodes, scripts: Scripts): ClusterOptions {
  const { retryStrategy, enableOfflineQueue, lazyConnect, ...each } = OPTIONS;
  return {
    lazyConnect,
    enableOfflineQueue,
    scripts,
    clusterRetryStrategy: retryStrategy,
    // A lost server may have executed a command, so the command is not sent again. A command that was sent to the wrong
    // server was not executed.
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
    slotsRefreshTimeout: CONNECTS_WITHIN_MS,
    slotsRefreshInterval: ASKED_AGAIN_AFTER_MS,
    redisOptions: {
      ...each,
      ...(username === undefined ? {} : { username }),
      ...(password === undefined ? {} : { password }),
      ...(tls ? { tls: {} } : {}),
    },
    // Host names are not resolved before connecting, because certificates are for host names.
    ...(tls
      ? { dnsLookup: (address: string, found: (error: null, address: string) => void) => found(null, address) }
      : {}),
  };
}

/**
 * Connects to the Redis of REDIS_URL and adds these commands. `failure`: why Redis does not answer yet. Waits at most
 * three seconds for the first connection. `ioredis` is loaded only here.
 */
export async function connectRedis(
  url: string,
  scripts: Scripts,
): Promise<{ redis: Redis | Cluster; failure: Error | null }> {
  const redis = await clientOf(url, scripts);
  // Errors are reported by the command that fails. Without a listener, ioredis would print each error.
  redis.on('error', () => undefined);
  // Connections to the sentinels are retried without end.
  let giveUp: NodeJS.Timeout | undefined;
  const patience = new Promise<never>(
    (_resolve, reject) => (giveUp = setTimeout(() => reject(new Error('nobody says where it is')), FOUND_WITHIN_MS)),
  );
  const connected = connect(redis);
  const failure = await Promise.race([connected, patience]).then(
    () => null,
    (error: unknown) => error as Error,
  );
  connected.catch(() => undefined);
  clearTimeout(giveUp);
  return { redis, failure };
}

/**
 * Connects to all servers of a cluster. Otherwise the first command would connect, and this takes longer than a request
 * waits.
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
  if (cluster) return new Cluster([...cluster.nodes], byCluster(cluster, scripts));
  const sentinels = sentinelsOf(url);
  const options = { ...OPTIONS, scripts };
  return sentinels
    ? new Redis({ ...options, ...BY_SENTINELS, ...sentinels, sentinels: [...sentinels.sentinels] })
    : new Redis(url, options);
}
