import { Logger } from '@nestjs/common';
import type { Cluster, Redis, Result } from 'ioredis';
import { ASKED_AGAIN_AFTER_MS, connectRedis } from '../../redis/redis-connection';
import { OwnPositions, type PositionsPlace, type WrittenPositions } from './written-positions';

/** Of two concurrent commits the later position remains, in whichever order they arrive. */
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
 * Positions of commits of all processes. While Redis is away, other processes' writes are unknown, so reads of accounts
 * use the primary.
 */
export class SharedPositions implements WrittenPositions {
  private readonly log = new Logger(SharedPositions.name);
  private readonly own: OwnPositions;
  private absent = false;
  private recovery: NodeJS.Timeout | undefined;

  private constructor(
    private readonly redis: Redis | Cluster,
    private readonly keptMs: number,
  ) {
    this.own = new OwnPositions(keptMs);
  }

  /** @param keptMs longer than a replica in service can lag */
  static async open(url: string, keptMs: number): Promise<SharedPositions> {
    const { redis, failure } = await connectRedis(url, { rememberPosition: { lua: REMEMBER, numberOfKeys: 1 } });
    const positions = new SharedPositions(redis, keptMs);
    if (failure) positions.lose(failure);
    return positions;
  }

  get place(): PositionsPlace {
    return this.absent ? 'memory-for-redis' : 'redis';
  }

  async remember(account: number, position: number): Promise<void> {
    await this.own.remember(account, position);
    if (!this.absent) await this.publish(account, position).catch((error: unknown) => this.lose(error));
  }

  async of(account: number): Promise<number> {
    if (this.absent) return Infinity;
    try {
      return Math.max(this.own.of(account), Number(await this.redis.get(nameOf(account))));
    } catch (error) {
      this.lose(error);
      return Infinity;
    }
  }

  close(): Promise<void> {
    clearTimeout(this.recovery);
    this.redis.disconnect();
    return this.own.close();
  }

  private async publish(account: number, position: number): Promise<void> {
    await this.redis.rememberPosition(nameOf(account), Math.min(position, Number.MAX_SAFE_INTEGER), this.keptMs);
  }

  private lose(error: unknown): void {
    if (this.absent) return;
    this.absent = true;
    this.log.warn(
      `Redis does not answer (${error instanceof Error ? error.message : String(error)}): accounts are read for at the primary until it does.`,
    );
    this.askAgainLater();
  }

  private askAgainLater(): void {
    this.recovery = setTimeout(() => void this.askAgain(), ASKED_AGAIN_AFTER_MS).unref();
  }

  /** First publishes the positions that other processes have not received yet. */
  private async askAgain(): Promise<void> {
    try {
      await this.redis.rememberPosition(nameOf(0), 0, ASKED_AGAIN_AFTER_MS);
      for (const [account, position] of this.own.all()) await this.publish(account, position);
      this.absent = false;
      this.log.log('Redis answers again: replicas are read from for accounts too.');
    } catch {
      this.askAgainLater();
    }
  }
}

function nameOf(account: number): string {
  return `written:${account}`;
}
