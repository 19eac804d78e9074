import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Refusal } from '#platform/http/refusal';
import { RequestWindows, type Attempt, type AttemptKind } from '#platform/rate-limit/request-windows';
import { knownDevice } from '../session';

/**
 * Limits attempts to enter a password (PAGE-18). Attempts at an account are counted separately for each network
 * address, so guesses from one address do not lock out an owner at another address. A higher limit counts the attempts
 * at one account from all addresses. Attempts from a device on which somebody has already signed in to the account are
 * counted separately, for this device and account only.
 */
@Injectable()
export class SignInAttempts {
  constructor(private readonly windows: RequestWindows) {}

  /**
   * Counts an attempt by the client's network address only: a second step, or an attempt without a known account.
   * Throws 429.
   */
  async countOrigin({ ip }: FastifyRequest): Promise<void> {
    await this.refuseTooMany('per_ip', { ip, email: '', device: '' });
  }

  /**
   * Counts an attempt to sign in before the password is verified, so that parallel attempts are limited. Throws 429.
   */
  async count(request: FastifyRequest, email: string): Promise<Attempt> {
    const attempt = attemptOf(request, email);
    for (const kind of kindsOf(attempt)) await this.refuseTooMany(kind, attempt);
    return attempt;
  }

  /**
   * Resets the counts of the account after a right password. The count of the client's address remains, because it
   * includes attempts at other accounts.
   */
  async reset(attempt: Attempt): Promise<void> {
    for (const kind of kindsOf(attempt)) if (kind !== 'per_ip') await this.windows.resetAttempts(kind, attempt);
  }

  private async refuseTooMany(kind: AttemptKind, attempt: Attempt): Promise<void> {
    const { refused, retryAfterSeconds } = await this.windows.attempt(kind, attempt);
    if (refused) throw new Refusal('too_many_requests', { retryAfter: retryAfterSeconds });
  }
}

/** The values by which an attempt is counted: the client's address, the account's address, and a known device. */
export function attemptOf(request: FastifyRequest, email: string): Attempt {
  return { ip: request.ip, email, device: knownDevice(request, email) };
}

/** The account's own limit is last, so that attempts that an earlier limit refuses do not count towards it. */
function kindsOf({ device }: Attempt): readonly AttemptKind[] {
  return device === '' ? ['per_ip', 'per_ip_and_email', 'per_email'] : ['per_device'];
}
