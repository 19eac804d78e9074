import type { Cluster, Redis, Result } from 'ioredis';
import { OptionalRedis, type StorePlace } from '../../redis/optional-redis';
import { RETRY_INTERVAL_MS } from '../../redis/redis-connection';
import { OwnPositions, type WrittenPositions } from './written-positions';

/**
 * A script that stores the higher of the stored position and the new position, so that the order of the calls does not
 * matter. Each call extends the time for which the position is stored.
 */
const REMEMBER = `
local known = redis.call('GET', KEYS[1])
if not known or tonumber(known) < tonumber(ARGV[1]) then
  redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
else
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
end
return 1`;

declare module 'ioredis' {
  interface RedisCommander<Context> {
    rememberPosition(key: string, position: number, keptMs: number): Result<number, Context>;
  }
}

/**
 * Stores in Redis, for all processes, the WAL position of each account's last commit. While Redis does not answer, the
 * commits of other processes are unknown, so reads by accounts use the primary.
 */
export class SharedPositions implements WrittenPositions {
  private constructor(
    private readonly redis: OptionalRedis,
    private readonly localPositions: OwnPositions,
    private readonly keptMs: number,
  ) {}

  /**
   * @param keptMs milliseconds for which positions are stored; longer than the lag of any replica that may answer reads
   */
  static async open(url: string, keptMs: number): Promise<SharedPositions> {
    const localPositions = new OwnPositions(keptMs);
    const redis = await OptionalRedis.open(url, {
      scripts: { rememberPosition: { lua: REMEMBER, numberOfKeys: 1 } },
      unavailableText: 'until it does, reads by accounts use the primary.',
      availableText: 'reads by accounts use the replicas too.',
      // Before Redis is used again, the positions of this process's recent commits are written to Redis. There may be
      // none, so the probe first writes a position for the id 0, which no account has.
      probe: async (client) => {
        await client.rememberPosition(nameOf(0), 0, RETRY_INTERVAL_MS);
        for (const [account, position] of localPositions.all()) await store(client, account, position, keptMs);
      },
    });
    return new SharedPositions(redis, localPositions, keptMs);
  }

  get store(): StorePlace {
    return this.redis.store;
  }

  async remember(account: number, position: number): Promise<void> {
    await this.localPositions.remember(account, position);
    await this.redis.run(nameOf(account), (client) => store(client, account, position, this.keptMs));
  }

  async positionOf(account: number): Promise<number> {
    const stored = await this.redis.run(nameOf(account), (client) => client.get(nameOf(account)));
    return stored === undefined ? Infinity : Math.max(this.localPositions.positionOf(account), Number(stored));
  }

  close(): Promise<void> {
    this.redis.close();
    return this.localPositions.close();
  }
}

function store(redis: Redis | Cluster, account: number, position: number, keptMs: number): Promise<number> {
  return redis.rememberPosition(nameOf(account), Math.min(position, Number.MAX_SAFE_INTEGER), keptMs);
}

function nameOf(account: number): string {
  return `written:${account}`;
}
