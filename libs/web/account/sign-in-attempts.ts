import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { LIMITS } from '#contract/limits';
import type { Locale } from '#contract/vocabulary';
import { Refusal } from '#platform/http/refusal';
import { networkOf } from '#platform/net/network-of';
import { RequestWindows, type Hit } from '#platform/rate-limit/request-windows';
import { knownDeviceId, lowerCaseEmail } from '../session';
import { translator } from '../texts';

/** The kinds of keys by which attempts are counted; see LIMITS.sign_in. */
export type AttemptKind = 'per_ip' | 'per_ip_and_email' | 'per_email' | 'per_device';

/** An attempt to sign in to an account. */
export interface Attempt {
  readonly ip: string;
  /** The e-mail address as it was entered; upper-case letters are kept. */
  readonly email: string;
  /** The id of a device that has signed in to this account before; empty for an unknown device. */
  readonly device: string;
}

/**
 * Limits attempts to enter a password (PAGE-18). The attempts for one account are counted separately for each network
 * (`networkOf`), so guesses from one network do not lock out an owner in another network. There are two more limits:
 * for all attempts from one network, and for the attempts for one account from all networks together. An attempt from a
 * device on which somebody has already signed in to the account counts only towards the limit of this device and
 * account.
 */
@Injectable()
export class SignInAttempts {
  constructor(private readonly windows: RequestWindows) {}

  /**
   * Counts a request only towards the limit of the client's network (`per_ip`), and throws 429 above this limit. Call
   * this method for a second step of signing in, and for a form that anybody can send without a password, such as a
   * registration.
   */
  async countForNetwork({ ip }: FastifyRequest): Promise<void> {
    await this.refuseTooMany('per_ip', { ip, email: '', device: '' });
  }

  /**
   * Counts an attempt to enter a password, and throws 429 above a limit. Call this method before the password is
   * verified, so that parallel attempts are limited.
   */
  async count(request: FastifyRequest, email: string): Promise<Attempt> {
    const attempt = attemptOf(request, email);
    for (const kind of kindsOf(attempt)) await this.refuseTooMany(kind, attempt);
    return attempt;
  }

  /**
   * Resets the counts that include this attempt, except the count of the client's network, which includes attempts for
   * other accounts. Call this method after the person has signed in or proved the password.
   */
  async reset(attempt: Attempt): Promise<void> {
    for (const kind of kindsOf(attempt))
      if (kind !== 'per_ip') await this.windows.forget(windowName(kind), windowKey(kind, attempt));
  }

  /** Counts an attempt under the key of this kind. */
  hit(kind: AttemptKind, attempt: Attempt): Promise<Hit> {
    const { window, [kind]: limit } = LIMITS.sign_in;
    return this.windows.count(windowName(kind), windowKey(kind, attempt), window * 1000, limit);
  }

  private async refuseTooMany(kind: AttemptKind, attempt: Attempt): Promise<void> {
    const { refused, retryAfterSeconds } = await this.hit(kind, attempt);
    if (refused) throw new Refusal('too_many_requests', { retryAfter: retryAfterSeconds });
  }
}

/** The message of a form that was refused with 429. */
export function tooManyAttempts(locale: Locale): string {
  const say = translator(locale);
  return `${say('error_429')}. ${say('error_429_text')}`;
}

/** The values by which an attempt is counted: the client's network address, the e-mail address, and a known device. */
export function attemptOf(request: FastifyRequest, email: string): Attempt {
  return { ip: request.ip, email, device: knownDeviceId(request, email) };
}

/** `per_email` is last, so that attempts that another limit refuses do not count towards the limit of the account. */
function kindsOf({ device }: Attempt): readonly AttemptKind[] {
  return device === '' ? ['per_ip', 'per_ip_and_email', 'per_email'] : ['per_device'];
}

function windowName(kind: AttemptKind): string {
  return `sign-in-${kind}`;
}

/** Keys are hashed, so that a reader of Redis does not see addresses. */
function windowKey(kind: AttemptKind, { ip, email, device }: Attempt): string {
  const network = networkOf(ip);
  const account = lowerCaseEmail(email);
  const parts = {
    per_ip: [network],
    per_ip_and_email: [network, account],
    per_email: [account],
    per_device: [device, account],
  }[kind];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
