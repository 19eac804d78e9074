import { Logger } from '@nestjs/common';
import type { Cluster, Redis, Result } from 'ioredis';
import { ASKED_AGAIN_AFTER_MS, connectRedis } from '../redis/redis-connection';
import { recordOf, type ThrottlerRecord, type Windows, type WindowsPlace } from './request-windows';

/**
 * One atomic step: counts, and opens the window with the first request. A key always has an expiry, even if a server
 * died between the two commands (PTTL is -1 then).
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

/**
 * Request windows shared by all servers. If Redis does not answer, the windows of this process take over at once (every
 * server then counts for itself, which is logged once), and Redis again as soon as it answers.
 */
export class RedisWindows implements Windows {
  private readonly log = new Logger(RedisWindows.name);
  private absent = false;
  private probe = '';
  private recovery: NodeJS.Timeout | undefined;

  private constructor(
    private readonly redis: Redis | Cluster,
    private readonly memory: Windows,
  ) {}

  /** Waits at most three seconds for the first connection, and continues without it. */
  static async open(url: string, memory: Windows): Promise<RedisWindows> {
    const { redis, failure } = await connectRedis(url, { hitWindow: { lua: HIT, numberOfKeys: 1 } });
    const windows = new RedisWindows(redis, memory);
    if (failure) windows.takeOver(failure);
    return windows;
  }

  get place(): WindowsPlace {
    return this.absent ? 'memory-for-redis' : 'redis';
  }

  async increment(
    ...[key, windowMs, limit, blockMs, name]: Parameters<Windows['increment']>
  ): Promise<ThrottlerRecord> {
    if (!this.absent) {
      try {
        const [hits, endsInMs] = await this.redis.hitWindow(nameOf(name, key), windowMs);
        return recordOf(hits, endsInMs, limit);
      } catch (error) {
        this.takeOver(error, nameOf(name, key));
      }
    }
    return this.memory.increment(key, windowMs, limit, blockMs, name);
  }

  async forget(key: string, name: string): Promise<void> {
    // Also the counters of this process from the time when Redis was away.
    await this.memory.forget(key, name);
    if (!this.absent)
      await this.redis.del(nameOf(name, key)).catch((error: unknown) => this.takeOver(error, nameOf(name, key)));
  }

  async close(): Promise<void> {
    clearTimeout(this.recovery);
    this.redis.disconnect();
    await this.memory.close();
  }

  /** @param key the one that could not be counted */
  private takeOver(error: unknown, key = ''): void {
    if (this.absent) return;
    this.absent = true;
    // In a cluster the text in braces determines the server of a key: the probe checks the server that is away.
    this.probe = `rate-limit:is-it-back:{${key}}`;
    this.log.warn(
      `Redis does not answer (${reason(error)}): request windows are counted in this process until it does.`,
    );
    this.askAgainLater();
  }

  private askAgainLater(): void {
    this.recovery = setTimeout(() => void this.askAgain(), ASKED_AGAIN_AFTER_MS).unref();
  }

  private async askAgain(): Promise<void> {
    try {
      // The counting command itself: a read-only or full Redis answers a ping, but cannot count.
      await this.redis.hitWindow(this.probe, ASKED_AGAIN_AFTER_MS);
      this.absent = false;
      this.log.log('Redis answers again: request windows are shared.');
    } catch {
      this.askAgainLater();
    }
  }
}

function nameOf(name: string, key: string): string {
  return `rate-limit:${name}:${key}`;
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
