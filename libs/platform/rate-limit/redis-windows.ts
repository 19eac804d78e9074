import type { Result } from 'ioredis';
import { OptionalRedis, type StorePlace } from '../redis/optional-redis';
import { RETRY_INTERVAL_MS } from '../redis/redis-connection';
import { recordOf, type ThrottlerRecord, type Windows } from './request-windows';

/**
 * A script that counts a request in one atomic step. The first request opens the window. The script also sets an expiry
 * if the key has none (PTTL -1), because a window without an expiry would never end.
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
 * Request windows that all processes of all servers share. While Redis does not answer, each process counts in its own
 * memory. A process logs one line when it begins to count in its memory, and one line when it uses Redis again.
 */
export class RedisWindows implements Windows {
  private constructor(
    private readonly redis: OptionalRedis,
    private readonly memory: Windows,
  ) {}

  /** Waits at most three seconds for the first connection, and then continues without Redis. */
  static async open(url: string, memory: Windows): Promise<RedisWindows> {
    const redis = await OptionalRedis.open(url, {
      scripts: { hitWindow: { lua: HIT, numberOfKeys: 1 } },
      unavailableText: 'until it does, request windows are counted in this process.',
      availableText: 'request windows are shared by all processes.',
      // In a cluster, the text in braces selects the server of a key. The probe therefore tests the server that did not
      // answer.
      probe: (client, failedKey) => client.hitWindow(`rate-limit:is-it-back:{${failedKey}}`, RETRY_INTERVAL_MS),
    });
    return new RedisWindows(redis, memory);
  }

  get store(): StorePlace {
    return this.redis.store;
  }

  async increment(
    ...[key, windowMs, limit, blockMs, name]: Parameters<Windows['increment']>
  ): Promise<ThrottlerRecord> {
    const redisKey = redisKeyOf(name, key);
    const hit = await this.redis.run(redisKey, (client) => client.hitWindow(redisKey, windowMs));
    return hit ? recordOf(...hit, limit) : this.memory.increment(key, windowMs, limit, blockMs, name);
  }

  async forget(name: string, key: string): Promise<void> {
    // This process may have counted in its memory while Redis did not answer.
    await this.memory.forget(name, key);
    await this.redis.run(redisKeyOf(name, key), (client) => client.del(redisKeyOf(name, key)));
  }

  async onApplicationShutdown(): Promise<void> {
    this.redis.close();
    await this.memory.onApplicationShutdown();
  }
}

function redisKeyOf(name: string, key: string): string {
  return `rate-limit:${name}:${key}`;
}
