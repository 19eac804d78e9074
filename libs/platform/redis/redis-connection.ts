import type { Cluster, ClusterOptions, Redis, RedisOptions } from 'ioredis';
import { clusterOf, sentinelsOf, type ClusterNodes } from '../config/redis-address';

/** Custom commands by name. */
type Scripts = NonNullable<RedisOptions['scripts']>;

/**
 * Milliseconds. Every request waits for Redis, so a Redis that does not answer delays requests shortly and never fails
 * them.
 */
const ANSWERS_WITHIN_MS = 150;
const CONNECTS_WITHIN_MS = 1_000;
/** Milliseconds until Redis is tried again after a failure. */
export const ASKED_AGAIN_AFTER_MS = 1_000;
/** Maximum wait at the start. */
const FOUND_WITHIN_MS = 3_000;

const OPTIONS = {
  lazyConnect: true,
  connectTimeout: CONNECTS_WITHIN_MS,
  commandTimeout: ANSWERS_WITHIN_MS,
  // A command that cannot be sent fails at once: nothing is queued or sent twice (it would count twice).
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  retryStrategy: (attempt: number) => Math.min(attempt * 100, ASKED_AGAIN_AFTER_MS),
} satisfies RedisOptions;

const BY_SENTINELS: RedisOptions = {
  sentinelRetryStrategy: (attempt) => Math.min(attempt * 100, ASKED_AGAIN_AFTER_MS),
  sentinelCommandTimeout: CONNECTS_WITHIN_MS,
  // A server that is no longer the primary: the sentinels name the new one.
  reconnectOnError: ({ message }) => message.startsWith('READONLY'),
};

/** Every script has one key, so it runs on one server, and counts exactly as on a single Redis. */
function byCluster({ tls, username, password }: ClusterNodes, scripts: Scripts): ClusterOptions {
  const { retryStrategy, enableOfflineQueue, lazyConnect, ...each } = OPTIONS;
  return {
    lazyConnect,
    enableOfflineQueue,
    scripts,
    clusterRetryStrategy: retryStrategy,
    // A command may have counted on a server that was lost: it is not sent again. A command that belongs to another
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
    // Certificates are for host names, so the names announced by the servers are not resolved first.
    ...(tls
      ? { dnsLookup: (address: string, found: (error: null, address: string) => void) => found(null, address) }
      : {}),
  };
}

/**
 * The Redis of REDIS_URL with these commands; `failure`: why it does not answer yet. Waits at most three seconds for
 * the first connection. `ioredis` is loaded only here.
 */
export async function connectRedis(
  url: string,
  scripts: Scripts,
): Promise<{ redis: Redis | Cluster; failure: Error | null }> {
  const redis = await clientOf(url, scripts);
  // The command that fails reports the error; without a listener ioredis would print each.
  redis.on('error', () => undefined);
  // Sentinels are retried indefinitely.
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

/** Connections to a cluster's servers are opened at the first command, which takes longer than a request waits. */
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
