import { Logger } from '@nestjs/common';
import type { Cluster, ClusterOptions, Redis, RedisOptions, Result } from 'ioredis';
import { clusterOf, sentinelsOf, type ClusterNodes } from '../config/redis-address';
import { throttlerRecord, type Count, type Windows, type WindowsPlace } from './request-windows';

/**
 * One atomic step: count, and open the window with the first request. A key never lives without an end, even if a
 * server died between the two commands (PTTL is -1 then).
 */
const HIT = `
local hits = redis.call('INCR', KEYS[1])
local left = redis.call('PTTL', KEYS[1])
if hits == 1 or left < 0 then
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  left = tonumber(ARGV[1])
end
return {hits, left}`;

declare module 'ioredis' {
  interface RedisCommander<Context> {
    hitWindow(key: string, windowMs: number): Result<[hits: number, endsInMs: number], Context>;
  }
}

/** Redis is beside the way of every request, so it may cost a moment, never a request. */
const ANSWERS_WITHIN_MS = 150;
const CONNECTS_WITHIN_MS = 1_000;
const ASKED_AGAIN_AFTER_MS = 1_000;
/** At the start, until one goes on without it. */
const FOUND_WITHIN_MS = 3_000;

const SCRIPTS = { hitWindow: { lua: HIT, numberOfKeys: 1 } };

const OPTIONS = {
  lazyConnect: true,
  connectTimeout: CONNECTS_WITHIN_MS,
  commandTimeout: ANSWERS_WITHIN_MS,
  // A command that cannot be sent now fails now: nothing is queued, and nothing sent twice (it would count twice).
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  retryStrategy: (attempt: number) => Math.min(attempt * 100, ASKED_AGAIN_AFTER_MS),
  scripts: SCRIPTS,
} satisfies RedisOptions;

const BY_SENTINELS: RedisOptions = {
  sentinelRetryStrategy: (attempt) => Math.min(attempt * 100, ASKED_AGAIN_AFTER_MS),
  sentinelCommandTimeout: CONNECTS_WITHIN_MS,
  // One that is no longer the primary: the sentinels know who is.
  reconnectOnError: ({ message }) => message.startsWith('READONLY'),
};

/** Every script has one key, so it is one server's alone, and counts exactly as on a Redis by itself. */
function byCluster({ tls, username, password }: ClusterNodes): ClusterOptions {
  const { retryStrategy, enableOfflineQueue, scripts, lazyConnect, ...each } = OPTIONS;
  return {
    lazyConnect, enableOfflineQueue, scripts,
    clusterRetryStrategy: retryStrategy,
    // A command whose server went may have counted: it is not sent again. One that belongs to another server was not done.
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
    slotsRefreshTimeout: CONNECTS_WITHIN_MS,
    slotsRefreshInterval: ASKED_AGAIN_AFTER_MS,
    redisOptions: { ...each, ...(username === undefined ? {} : { username }), ...(password === undefined ? {} : { password }), ...(tls ? { tls: {} } : {}) },
    // Certificates are for names: what the servers call themselves is not looked up before.
    ...(tls ? { dnsLookup: (address: string, found: (error: null, address: string) => void) => found(null, address) } : {}),
  };
}

/**
 * Request windows shared by all replicas. When Redis does not answer, the windows of this process take over at once
 * (every replica then counts for itself, which is one log line), and Redis again as soon as it answers.
 */
export class RedisWindows implements Windows {
  private readonly log = new Logger(RedisWindows.name);
  private absent = false;
  private probe = '';
  private recovery: NodeJS.Timeout | undefined;

  private constructor(
    private readonly redis: Redis | Cluster,
    private readonly memory: Windows,
  ) {
    // Every failure is seen by the command that met it; without a listener ioredis would print each.
    redis.on('error', () => undefined);
  }

  /** Waits for the first connection, three seconds at most, and goes on without it. `ioredis` is loaded only here. */
  static async open(url: string, memory: Windows): Promise<RedisWindows> {
    const windows = new RedisWindows(await clientOf(url), memory);
    // Sentinels are asked again and again, and their connection is not given up.
    let giveUp: NodeJS.Timeout | undefined;
    const patience = new Promise<never>((_resolve, reject) => (giveUp = setTimeout(() => reject(new Error('nobody says where it is')), FOUND_WITHIN_MS)));
    const connected = connect(windows.redis);
    await Promise.race([connected, patience]).catch((error: unknown) => windows.takeOver(error));
    connected.catch(() => undefined);
    clearTimeout(giveUp);
    return windows;
  }

  get place(): WindowsPlace {
    return this.absent ? 'memory-for-redis' : 'redis';
  }

  hit(key: string, windowMs: number): Count | Promise<Count> {
    return this.absent ? this.memory.hit(key, windowMs) : this.shared(key, windowMs);
  }

  async forget(key: string, windowMs: number): Promise<void> {
    // What was counted here while Redis was away is forgotten too.
    await this.memory.forget(key, windowMs);
    if (!this.absent) await this.redis.del(nameOf(key)).catch((error: unknown) => this.takeOver(error, key));
  }

  async increment(...[key, ttl, limit, , name]: Parameters<Windows['increment']>): ReturnType<Windows['increment']> {
    return throttlerRecord(await this.hit(`${name}:${key}`, ttl), limit);
  }

  async close(): Promise<void> {
    clearTimeout(this.recovery);
    this.redis.disconnect();
    await this.memory.close();
  }

  private async shared(key: string, windowMs: number): Promise<Count> {
    try {
      const [hits, endsInMs] = await this.redis.hitWindow(nameOf(key), windowMs);
      return { hits, endsInMs };
    } catch (error) {
      this.takeOver(error, key);
      return await this.memory.hit(key, windowMs);
    }
  }

  /** `key`: of what could not be counted. */
  private takeOver(error: unknown, key = ''): void {
    if (this.absent) return;
    this.absent = true;
    // In a cluster of the very server that is away: what stands in braces alone says whose a key is.
    this.probe = `rate-limit:is-it-back:{${nameOf(key)}}`;
    this.log.warn(`Redis does not answer (${reason(error)}): request windows are counted in this process until it does.`);
    this.askAgainLater();
  }

  private askAgainLater(): void {
    this.recovery = setTimeout(() => void this.askAgain(), ASKED_AGAIN_AFTER_MS).unref();
  }

  private async askAgain(): Promise<void> {
    try {
      // The very command that is needed: a read-only or full Redis answers a ping, but cannot count.
      await this.redis.hitWindow(this.probe, ASKED_AGAIN_AFTER_MS);
      this.absent = false;
      this.log.log('Redis answers again: request windows are shared.');
    } catch {
      this.askAgainLater();
    }
  }
}

/** A cluster's servers are connected to when they are first asked, which takes longer than a request waits. */
async function connect(redis: Redis | Cluster): Promise<void> {
  await redis.connect();
  if ('nodes' in redis) await Promise.all(redis.nodes('master').filter(({ status }) => status === 'wait').map((node) => node.connect()));
}

async function clientOf(url: string): Promise<Redis | Cluster> {
  const { Redis, Cluster } = await import('ioredis');
  const cluster = clusterOf(url);
  if (cluster) return new Cluster([...cluster.nodes], byCluster(cluster));
  const sentinels = sentinelsOf(url);
  return sentinels ? new Redis({ ...OPTIONS, ...BY_SENTINELS, ...sentinels, sentinels: [...sentinels.sentinels] }) : new Redis(url, OPTIONS);
}

function nameOf(key: string): string {
  return `rate-limit:${key}`;
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
