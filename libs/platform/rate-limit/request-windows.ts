import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import {
  getOptionsToken,
  getStorageToken,
  normalizeIp,
  type ThrottlerModuleOptions,
  type ThrottlerStorage,
} from '@nestjs/throttler';
import { LIMITS } from '#contract/limits';

/**
 * The result of the storage of @nestjs/throttler: the number of requests in the window, and the whole seconds until it
 * ends.
 */
export type ThrottlerRecord = Awaited<ReturnType<ThrottlerStorage['increment']>>;

/**
 * The throttler's storage with fixed windows. The first request of a key opens a window, which ends `ttl` ms later.
 * Refused requests are also counted, but do not move the end of the window. Parallel requests are counted exactly.
 */
export interface Windows extends ThrottlerStorage {
  /** Ends the window of the key. The next request opens a new one. */
  forget(key: string, name: string): Promise<void>;
  /** Where the counters are stored, for `doctor`. */
  readonly store: WindowsStore;
  close(): Promise<void>;
}

/** `memory-for-redis`: Redis does not answer, so this process counts in its memory until Redis answers again. */
export type WindowsStore = 'memory' | 'redis' | 'memory-for-redis';

/** The two kinds of windows of the contract: per token, and per IP address. */
export type WindowKind = 'token' | 'ip';

/** The kinds of keys of sign-in attempts; see LIMITS.sign_in. */
export type AttemptKind = 'per_ip' | 'per_ip_and_email' | 'per_email' | 'per_device';

/** An attempt to sign in to an account. */
export interface Attempt {
  readonly ip: string;
  /** The e-mail address as it was entered, in upper or lower case. */
  readonly email: string;
  /** The id of a device that has signed in to this account before; empty for an unknown device. */
  readonly device: string;
}

/** The state of a request's window, for the rate-limit headers. */
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
 * The request windows: 60 per minute for a token, 300 for an IP address, unless configured otherwise (LIM-1, LIM-2).
 */
@Injectable()
export class RequestWindows {
  constructor(
    @Inject(getStorageToken()) private readonly windows: Windows,
    @Inject(getOptionsToken()) private readonly options: Extract<ThrottlerModuleOptions, { throttlers: unknown }>,
  ) {}

  /**
   * Counts one request. `key` is the id of the token (not the token, because keys can be read in Redis), or the IP
   * address that Fastify reports.
   */
  hit(kind: WindowKind, key: string | number, limit?: number): Promise<Hit> {
    const throttler = this.options.throttlers.find(({ name }) => name === kind) as { limit: number; ttl: number };
    const counted = kind === 'ip' ? networkOf(String(key)) : String(key);
    return this.count(kind, counted, throttler.ttl, limit ?? throttler.limit);
  }

  /**
   * Counts one request of an app. An app has a separate window, and its requests do not count in the window of its IP
   * address.
   */
  hitApp(appId: string, limit: number): Promise<Hit> {
    return this.count('app', appId, LIMITS.requests.window * 1000, limit);
  }

  /** Counts one attempt to sign in or to register. */
  attempt(kind: AttemptKind, attempt: Attempt): Promise<Hit> {
    return this.count(`sign-in-${kind}`, attemptKey(kind, attempt), LIMITS.sign_in.window * 1000, LIMITS.sign_in[kind]);
  }

  /** Resets the counter of that kind after a successful attempt. */
  async resetAttempts(kind: AttemptKind, attempt: Attempt): Promise<void> {
    await this.windows.forget(attemptKey(kind, attempt), `sign-in-${kind}`);
  }

  get store(): WindowsStore {
    return this.windows.store;
  }

  private async count(name: string, key: string, windowMs: number, limit: number): Promise<Hit> {
    const { totalHits, timeToExpire, isBlocked } = await this.windows.increment(key, windowMs, limit, 0, name);
    return { limit, remaining: Math.max(0, limit - totalHits), retryAfterSeconds: timeToExpire, refused: isBlocked };
  }
}

/** Keys are hashed, because they can be read in Redis. */
function attemptKey(kind: AttemptKind, { ip, email, device }: Attempt): string {
  const network = networkOf(ip);
  const account = lowerCase(email);
  const parts = {
    per_ip: [network],
    per_ip_and_email: [network, account],
    per_email: [account],
    per_device: [device, account],
  }[kind];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/**
 * The address in lower case, character by character, as PostgreSQL compares addresses. `toLowerCase` converts `İ` to
 * two characters, so each spelling of an address with `İ` in place of `i` would have its own counter.
 */
function lowerCase(email: string): string {
  return Array.from(email, (character) => Array.from(character.toLowerCase())[0]).join('');
}

/** @param endsInMs milliseconds until the window ends */
export function recordOf(totalHits: number, endsInMs: number, limit: number): ThrottlerRecord {
  const timeToExpire = Math.max(1, Math.ceil(endsInMs / 1000));
  const isBlocked = totalHits > limit;
  return { totalHits, timeToExpire, isBlocked, timeToBlockExpire: isBlocked ? timeToExpire : 0 };
}

/**
 * Returns the network of an address. An IPv6 address is counted together with its /64 network, which usually belongs to
 * one household. Each IPv4 address is counted separately, also if it is mapped into IPv6.
 */
export function networkOf(address: string): string {
  return normalizeIp(address);
}
