import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import {
  getOptionsToken,
  getStorageToken,
  type ThrottlerModuleOptions,
  type ThrottlerStorage,
} from '@nestjs/throttler';
import { networkOf } from '../net/network-of';
import type { StorePlace } from '../redis/optional-redis';

/**
 * The result of the storage of @nestjs/throttler: the number of requests in the window, the whole seconds until the
 * window ends, and whether the number is above the limit.
 */
export type ThrottlerRecord = Awaited<ReturnType<ThrottlerStorage['increment']>>;

/**
 * The throttler's storage with fixed windows. The first request of a key opens a window, which ends `ttl` ms later.
 * Refused requests are also counted, but do not move the end of the window. Parallel requests are counted exactly.
 */
export interface Windows extends ThrottlerStorage, OnApplicationShutdown {
  /** Ends the window of this name and key. The next request opens a new window. */
  forget(name: string, key: string): Promise<void>;
  /** Where the counters are stored, for `doctor`. */
  readonly store: StorePlace;
}

/** The two kinds of request windows: per token (LIM-1), and per network address (LIM-2). */
export type WindowKind = 'token' | 'ip';

/** The state of a window after a request, for the rate-limit headers. */
export interface Hit {
  readonly limit: number;
  /** Never below 0. */
  readonly remaining: number;
  /** Whole seconds until the window ends, at least 1. */
  readonly retryAfterSeconds: number;
  /** Whether this request is above the limit. */
  readonly refused: boolean;
}

/**
 * The request windows: 60 requests a minute for a token, 300 for a network address, unless configured otherwise (LIM-1,
 * LIM-2).
 */
@Injectable()
export class RequestWindows {
  constructor(
    @Inject(getStorageToken()) private readonly windows: Windows,
    @Inject(getOptionsToken()) private readonly options: Extract<ThrottlerModuleOptions, { throttlers: unknown }>,
  ) {}

  /**
   * Counts one request. For the kind `token`, `key` is `CallerToken.rateLimitKey` (not the token, because keys can be
   * read in Redis). For the kind `ip`, `key` is the IP address that Fastify reports; IPv6 addresses are counted by
   * network. `limit` replaces the configured limit.
   */
  hit(kind: WindowKind, key: string | number, limit?: number): Promise<Hit> {
    const throttler = this.options.throttlers.find(({ name }) => name === kind) as { limit: number; ttl: number };
    const counted = kind === 'ip' ? networkOf(String(key)) : String(key);
    return this.count(kind, counted, throttler.ttl, limit ?? throttler.limit);
  }

  /** Ends the window of this name and key. The next request opens a new window. */
  async forget(name: string, key: string): Promise<void> {
    await this.windows.forget(name, key);
  }

  get store(): StorePlace {
    return this.windows.store;
  }

  /**
   * Counts one request in the window of this name and key.
   *
   * @param key may contain an IP address and no other personal data, because keys can be read in Redis
   */
  async count(name: string, key: string, windowMs: number, limit: number): Promise<Hit> {
    const { totalHits, timeToExpire, isBlocked } = await this.windows.increment(key, windowMs, limit, 0, name);
    return { limit, remaining: Math.max(0, limit - totalHits), retryAfterSeconds: timeToExpire, refused: isBlocked };
  }
}

/**
 * Returns the throttler's record of a window.
 *
 * @param endsInMs milliseconds until the window ends
 */
export function recordOf(totalHits: number, endsInMs: number, limit: number): ThrottlerRecord {
  const timeToExpire = Math.max(1, Math.ceil(endsInMs / 1000));
  const isBlocked = totalHits > limit;
  return { totalHits, timeToExpire, isBlocked, timeToBlockExpire: isBlocked ? timeToExpire : 0 };
}
