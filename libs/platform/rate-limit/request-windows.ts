import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { getOptionsToken, getStorageToken, normalizeIp, type ThrottlerModuleOptions, type ThrottlerOptions, type ThrottlerStorage } from '@nestjs/throttler';
import { LIMITS } from '#contract/limits';

/** Where a key stands in its window after one more request. */
export interface Count {
  /** Requests in this window, this one included; refused ones count too, but never move the end of the window. */
  readonly hits: number;
  /** Milliseconds until the window ends, above 0. */
  readonly endsInMs: number;
}

/**
 * Counters of requests in fixed windows: the first request of a key opens a window, and it ends `windowMs` later
 * whatever comes. Exact under any number of parallel requests.
 *
 * This is the throttler's storage with a shorter way in: `hit` answers at once where it can, so that the hot path of
 * every request neither makes a promise nor waits for one.
 */
export interface Windows extends ThrottlerStorage {
  hit(key: string, windowMs: number): Count | Promise<Count>;
  /** Ends the key's window of that length: its next request opens another. */
  forget(key: string, windowMs: number): Promise<void>;
  /** Where the counters are, for the ready probe and the `doctor`. */
  readonly place: WindowsPlace;
  close(): Promise<void>;
}

/**
 * `primary`: the primary process of this one's workers. `memory-for-redis`: Redis does not answer, so this process (or its primary) counts
 * for itself until it does.
 */
export type WindowsPlace = 'memory' | 'primary' | 'redis' | 'memory-for-redis';

/** The two windows of the contract: per token, and per IP address. */
export type WindowKind = 'token' | 'ip';

/** What attempts to sign in are counted by, as LIMITS.sign_in has it. */
export type AttemptKind = 'per_ip' | 'per_ip_and_email' | 'per_email' | 'per_device';

/** Who tries, and at whose account. */
export interface Attempt {
  readonly ip: string;
  /** Upper and lower case are the same. */
  readonly email: string;
  /** The id of a device that has signed in to that account before; '' of one that is not known. */
  readonly device: string;
}

/** What a request has left in its window: the figures of the rate-limit headers. */
export interface Hit {
  readonly limit: number;
  /** Never below 0. */
  readonly remaining: number;
  /** Whole seconds until the window ends, at least 1. */
  readonly retryAfterSeconds: number;
  /** This request is above the limit. */
  readonly refused: boolean;
}

/** The request windows: 60 a minute for a token, 300 for an IP address, unless configured otherwise (LIM-1, LIM-2). */
@Injectable()
export class RequestWindows {
  private readonly throttlers: Readonly<Record<WindowKind, { limit: number; windowMs: number }>>;

  constructor(
    @Inject(getStorageToken()) private readonly windows: Windows,
    @Inject(getOptionsToken()) options: ThrottlerModuleOptions,
  ) {
    this.throttlers = { token: figures(options, 'token'), ip: figures(options, 'ip') };
  }

  /**
   * Counts one request. `key` is the token's id (never the token: keys are readable in Redis) or the address as Fastify
   * gives it; IPv6 counts by its /64, IPv4 mapped into IPv6 as IPv4. In memory the answer comes at once, without a
   * promise: `const hit = windows.hit(…); hit instanceof Promise ? await hit : hit`.
   */
  hit(kind: WindowKind, key: string | number, limit = this.throttlers[kind].limit): Hit | Promise<Hit> {
    const { windowMs } = this.throttlers[kind];
    const count = this.windows.hit(kind === 'ip' ? `ip:${networkOf(String(key))}` : `token:${key}`, windowMs);
    return count instanceof Promise ? count.then((shared) => against(limit, shared)) : against(limit, count);
  }

  /** Counts one attempt to sign in or to register. */
  async attempt(kind: AttemptKind, about: Attempt): Promise<Hit> {
    return against(LIMITS.sign_in[kind], await this.windows.hit(attemptKey(kind, about), LIMITS.sign_in.window * 1000));
  }

  /** Forgets the attempts of that kind: the last one was a success. */
  async forgive(kind: AttemptKind, about: Attempt): Promise<void> {
    await this.windows.forget(attemptKey(kind, about), LIMITS.sign_in.window * 1000);
  }

  /** Where the windows are counted, for the ready probe and the `doctor`. */
  get place(): WindowsPlace {
    return this.windows.place;
  }
}

function against(limit: number, { hits, endsInMs }: Count): Hit {
  return { limit, remaining: Math.max(0, limit - hits), retryAfterSeconds: wholeSeconds(endsInMs), refused: hits > limit };
}

/** Hashed: keys are readable in Redis. */
function attemptKey(kind: AttemptKind, { ip, email, device }: Attempt): string {
  const network = networkOf(ip);
  const account = email.toLowerCase();
  const parts = { per_ip: [network], per_ip_and_email: [network, account], per_email: [account], per_device: [device, account] }[kind];
  return `sign-in-${kind}:${createHash('sha256').update(JSON.stringify(parts)).digest('hex')}`;
}

function figures(options: ThrottlerModuleOptions, name: WindowKind): { limit: number; windowMs: number } {
  const throttlers: readonly ThrottlerOptions[] = Array.isArray(options) ? options : options.throttlers;
  const throttler = throttlers.find((one) => one.name === name);
  if (typeof throttler?.limit !== 'number' || typeof throttler.ttl !== 'number') {
    throw new Error(`The throttler "${name}" needs a number as limit and as ttl.`);
  }
  return { limit: throttler.limit, windowMs: throttler.ttl };
}

/** What @nestjs/throttler's own storage answers. */
type ThrottlerRecord = Awaited<ReturnType<ThrottlerStorage['increment']>>;

/** A count in the throttler's words: seconds, and no blocking beyond the window. */
export function throttlerRecord(count: Count, limit: number): ThrottlerRecord {
  const seconds = wholeSeconds(count.endsInMs);
  const isBlocked = count.hits > limit;
  return { totalHits: count.hits, timeToExpire: seconds, isBlocked, timeToBlockExpire: isBlocked ? seconds : 0 };
}

/** Milliseconds as `Retry-After` wants them: whole seconds, rounded up, at least 1. */
function wholeSeconds(milliseconds: number): number {
  return Math.max(1, Math.ceil(milliseconds / 1000));
}

/**
 * The network that an address (as Fastify gives it) is counted by: an IPv6 address by its /64, which a provider gives to one
 * household and in which a single machine may take any address it likes; IPv4, also mapped into IPv6, as it is.
 */
export function networkOf(address: string): string {
  return normalizeIp(address);
}
