import { Logger } from '@nestjs/common';
import type { Cluster, Redis } from 'ioredis';
import { RETRY_INTERVAL_MS, connectRedis } from './redis-connection';

type Client = Redis | Cluster;

/**
 * Where values are stored: in the memory of this process, or in Redis for all processes. `memory-for-redis`: Redis does
 * not answer, so this process uses its memory until Redis answers again.
 */
export type StorePlace = 'memory' | 'redis' | 'memory-for-redis';

interface Options {
  readonly scripts: Parameters<typeof connectRedis>[1];
  /**
   * Texts for the log. `unavailableText` follows `Redis does not answer (…): `, and `availableText` follows
   * `Redis answers again: `.
   */
  readonly unavailableText: string;
  readonly availableText: string;
  /**
   * A function that runs before Redis is used again. The function must write to Redis, because a Redis that is
   * read-only or full still answers a ping. `failed` is the key of the command that failed; empty if the first
   * connection failed.
   */
  readonly probe: (redis: Client, failed: string) => Promise<unknown>;
}

/**
 * A connection to Redis. If Redis fails, requests do not fail. After a failed command or a failed first connection,
 * Redis is not used until the probe succeeds. The probe runs one second after the failure, and again one second after
 * each failed probe.
 */
export class OptionalRedis {
  private readonly log = new Logger(OptionalRedis.name);
  private isUnavailable = false;
  private isClosed = false;
  private recovery: NodeJS.Timeout | undefined;

  private constructor(
    private readonly redis: Client,
    private readonly options: Options,
  ) {}

  /** Waits at most three seconds for the first connection, and then continues without Redis. */
  static async open(url: string, options: Options): Promise<OptionalRedis> {
    const { redis, failure } = await connectRedis(url, options.scripts);
    const optional = new OptionalRedis(redis, options);
    if (failure) optional.markUnavailable(failure, '');
    return optional;
  }

  get store(): Exclude<StorePlace, 'memory'> {
    return this.isUnavailable ? 'memory-for-redis' : 'redis';
  }

  /** Returns the command's result; `undefined` if the command fails, and while Redis is not used. */
  async run<T>(key: string, command: (redis: Client) => Promise<T>): Promise<T | undefined> {
    if (this.isUnavailable) return undefined;
    return command(this.redis).catch((error: unknown) => void this.markUnavailable(error, key));
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.recovery);
    this.redis.disconnect();
  }

  private markUnavailable(error: unknown, key: string): void {
    if (this.isUnavailable) return;
    this.isUnavailable = true;
    this.log.warn(
      `Redis does not answer (${error instanceof Error ? error.message : String(error)}): ${this.options.unavailableText}`,
    );
    this.probeLater(key);
  }

  private probeLater(key: string): void {
    this.recovery = setTimeout(() => {
      this.options.probe(this.redis, key).then(
        () => {
          this.isUnavailable = false;
          this.log.log(`Redis answers again: ${this.options.availableText}`);
        },
        // `close` ends a probe in progress, which then fails.
        () => this.isClosed || this.probeLater(key),
      );
    }, RETRY_INTERVAL_MS).unref();
  }
}
