import type { Cluster, ClusterOptions, Redis, RedisOptions } from 'ioredis';
import { clusterOf, sentinelsOf, type ClusterNodes } from '../config/redis-address';

/** Commands of one's own by their names. */
type Scripts = NonNullable<RedisOptions['scripts']>;

/** Redis is beside the way of every request, so it may cost a moment, never a request. */
const ANSWERS_WITHIN_MS = 150;
const CONNECTS_WITHIN_MS = 1_000;
/** Milliseconds after which one that was away is asked again. */
export const ASKED_AGAIN_AFTER_MS = 1_000;
/** At the start, until one goes on without it. */
const FOUND_WITHIN_MS = 3_000;

const OPTIONS = {
  lazyConnect: true,
  connectTimeout: CONNECTS_WITHIN_MS,
  commandTimeout: ANSWERS_WITHIN_MS,
  // A command that cannot be sent now fails now: nothing is queued, and nothing sent twice (it would count twice).
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  retryStrategy: (attempt: number) => Math.min(attempt * 100, ASKED_AGAIN_AFTER_MS),
} satisfies RedisOptions;

const BY_SENTINELS: RedisOptions = {
  sentinelRetryStrategy: (attempt) => Math.min(attempt * 100, ASKED_AGAIN_AFTER_MS),
  sentinelCommandTimeout: CONNECTS_WITHIN_MS,
  // One that is no longer the primary: the sentinels know who is.
  reconnectOnError: ({ message }) => message.startsWith('READONLY'),
};

/** Every script has one key, so it is one server's alone, and counts exactly as on a Redis by itself. */
function byCluster({ tls, username, password }: ClusterNodes, scripts: Scripts): ClusterOptions {
  const { retryStrategy, enableOfflineQueue, lazyConnect, ...each } = OPTIONS;
  return {
    lazyConnect,
    enableOfflineQueue,
    scripts,
    clusterRetryStrategy: retryStrategy,
    // A command whose server went may have counted: it is not sent again. One that belongs to another server was not done.
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
    // Certificates are for names: what the servers call themselves is not looked up before.
    ...(tls
      ? { dnsLookup: (address: string, found: (error: null, address: string) => void) => found(null, address) }
      : {}),
  };
}

/**
 * The Redis of REDIS_URL with those commands; `failure`: why it does not answer yet. Waits for the first connection, three seconds at most.
 * `ioredis` is loaded only here.
 */
export async function connectRedis(
  url: string,
  scripts: Scripts,
): Promise<{ redis: Redis | Cluster; failure: Error | null }> {
  const redis = await clientOf(url, scripts);
  // Every failure is seen by the command that met it; without a listener ioredis would print each.
  redis.on('error', () => undefined);
  // Sentinels are asked again and again, and their connection is not given up.
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

/** A cluster's servers are connected to when they are first asked, which takes longer than a request waits. */
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
