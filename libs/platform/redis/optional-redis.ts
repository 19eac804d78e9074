import { Logger } from '@nestjs/common';
import type { Cluster, Redis } from 'ioredis';
import { ASKED_AGAIN_AFTER_MS, connectRedis } from './redis-connection';

type Client = Redis | Cluster;

interface Options {
  readonly scripts: Parameters<typeof connectRedis>[1];
  /** Texts for the log. `away` follows `Redis does not answer (…): `, and `back` follows `Redis answers again: `. */
  readonly away: string;
  readonly back: string;
  /**
   * Runs before Redis is used again. It must write, because a Redis that is read-only or full still answers a ping.
   * `failed` is the key of the command that failed.
   */
  readonly probe: (redis: Client, failed: string) => Promise<unknown>;
}

/**
 * A Redis whose failure does not make requests fail. After a failed command, Redis is not used until the probe
 * succeeds. The probe runs once a second.
 */
export class OptionalRedis {
  private readonly log = new Logger(OptionalRedis.name);
  private isAway = false;
  private recovery: NodeJS.Timeout | undefined;

  private constructor(
    private readonly redis: Client,
    private readonly options: Options,
  ) {}

  /** Waits at most three seconds for the first connection. */
  static async open(url: string, options: Options): Promise<OptionalRedis> {
    const { redis, failure } = await connectRedis(url, options.scripts);
    const optional = new OptionalRedis(redis, options);
    if (failure) optional.lose(failure, '');
    return optional;
  }

  get place(): 'redis' | 'memory-for-redis' {
    return this.isAway ? 'memory-for-redis' : 'redis';
  }

  /** Returns the command's result; `undefined` while Redis does not answer. */
  async run<T>(key: string, command: (redis: Client) => Promise<T>): Promise<T | undefined> {
    if (this.isAway) return undefined;
    return command(this.redis).catch((error: unknown) => void this.lose(error, key));
  }

  close(): void {
    clearTimeout(this.recovery);
    this.redis.disconnect();
  }

  private lose(error: unknown, key: string): void {
    if (this.isAway) return;
    this.isAway = true;
    this.log.warn(
      `Redis does not answer (${error instanceof Error ? error.message : String(error)}): ${this.options.away}`,
    );
    this.probeLater(key);
  }

  private probeLater(key: string): void {
    this.recovery = setTimeout(() => {
      this.options.probe(this.redis, key).then(
        () => {
          this.isAway = false;
          this.log.log(`Redis answers again: ${this.options.back}`);
        },
        () => this.probeLater(key),
      );
    }, ASKED_AGAIN_AFTER_MS).unref();
  }
}
