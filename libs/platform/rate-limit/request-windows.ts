import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { getOptionsToken, getStorageToken, type ThrottlerModuleOptions, type ThrottlerOptions } from '@nestjs/throttler';
import { LIMITS } from '#contract/limits';
import { networkOf } from './network-of';
import { wholeSeconds, type Count, type Windows, type WindowsPlace } from './windows';

/** The two windows of the contract: per token, and per IP address. */
export type WindowKind = 'token' | 'ip';

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

  /**
   * Counts one attempt to sign in or to register: from an address, or at an account's e-mail (hashed: keys are readable
   * in Redis).
   */
  async attempt(kind: 'ip' | 'email', key: string): Promise<Hit> {
    const { window, per_ip, per_email } = LIMITS.sign_in;
    const counted = kind === 'ip' ? networkOf(key) : createHash('sha256').update(key).digest('hex');
    const count = await this.windows.hit(`sign-in-${kind}:${counted}`, window * 1000);
    return against(kind === 'ip' ? per_ip : per_email, count);
  }

  /** Where the windows are counted, for the ready probe and the `doctor`. */
  get place(): WindowsPlace {
    return this.windows.place;
  }
}

function against(limit: number, { hits, endsInMs }: Count): Hit {
  return { limit, remaining: Math.max(0, limit - hits), retryAfterSeconds: wholeSeconds(endsInMs), refused: hits > limit };
}

function figures(options: ThrottlerModuleOptions, name: WindowKind): { limit: number; windowMs: number } {
  const throttlers: readonly ThrottlerOptions[] = Array.isArray(options) ? options : options.throttlers;
  const throttler = throttlers.find((one) => one.name === name);
  if (typeof throttler?.limit !== 'number' || typeof throttler.ttl !== 'number') {
    throw new Error(`The throttler "${name}" needs a number as limit and as ttl.`);
  }
  return { limit: throttler.limit, windowMs: throttler.ttl };
}
