import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Refusal } from '#platform/http/refusal';
import { RequestWindows, type Attempt, type AttemptKind } from '#platform/rate-limit/request-windows';
import { knownDevice } from '../session';

/**
 * Limits attempts with passwords (PAGE-18). They count at their origin, so guesses elsewhere lock nobody out; against
 * guesses from many addresses there is one common limit, which does not apply to known devices.
 */
@Injectable()
export class SignInAttempts {
  constructor(private readonly windows: RequestWindows) {}

  /** Counts an attempt to register, or a second step, by its origin only. Throws 429. */
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

  /** After a right password: resets the account's wrong ones, but not the origin's attempts at other accounts. */
  async forgive(attempt: Attempt): Promise<void> {
    for (const kind of kindsOf(attempt)) if (kind !== 'per_ip') await this.windows.forgive(kind, attempt);
  }

  private async refuseTooMany(kind: AttemptKind, attempt: Attempt): Promise<void> {
    const { refused, retryAfterSeconds } = await this.windows.attempt(kind, attempt);
    if (refused) throw new Refusal('too_many_requests', { retryAfter: retryAfterSeconds });
  }
}

/** The origin and the account of an attempt. */
export function attemptOf(request: FastifyRequest, email: string): Attempt {
  return { ip: request.ip, email, device: knownDevice(request, email) };
}

/** The narrow limits first: an attempt refused by one does not count for the next ones. */
function kindsOf({ device }: Attempt): readonly AttemptKind[] {
  return device === '' ? ['per_ip', 'per_ip_and_email', 'per_email'] : ['per_device'];
}
