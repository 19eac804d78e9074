import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Refusal } from '#platform/http/refusal';
import { RequestWindows, type Attempt, type AttemptKind } from '#platform/rate-limit/request-windows';
import { knownDevice } from '../session';

/**
 * How often passwords may be tried (PAGE-18). Whoever guesses is held up where they are, so nobody is locked out by somebody
 * elsewhere; against guesses from many addresses there is one bound for all of them, which a known device does not meet.
 */
@Injectable()
export class SignInAttempts {
  constructor(private readonly windows: RequestWindows) {}

  /** Counts an attempt to register, or a second step, by where it comes from alone. Throws 429. */
  async countOrigin({ ip }: FastifyRequest): Promise<void> {
    await this.refuseTooMany('per_ip', { ip, email: '', device: '' });
  }

  /** Counts an attempt to sign in before the password is looked at, so that many at once are no more. Throws 429. */
  async count(request: FastifyRequest, email: string): Promise<Attempt> {
    const attempt = attemptOf(request, email);
    for (const kind of kindsOf(attempt)) await this.refuseTooMany(kind, attempt);
    return attempt;
  }

  /** The password was right: the wrong ones before it are forgiven, but not what the address has tried at others' accounts. */
  async forgive(attempt: Attempt): Promise<void> {
    for (const kind of kindsOf(attempt)) if (kind !== 'per_ip') await this.windows.forgive(kind, attempt);
  }

  private async refuseTooMany(kind: AttemptKind, attempt: Attempt): Promise<void> {
    const { refused, retryAfterSeconds } = await this.windows.attempt(kind, attempt);
    if (refused) throw new Refusal('too_many_requests', { retryAfter: retryAfterSeconds });
  }
}

/** Who tries, and at whose account. */
export function attemptOf(request: FastifyRequest, email: string): Attempt {
  return { ip: request.ip, email, device: knownDevice(request, email) };
}

/** The narrow ones first: what is refused by one counts for none after it. */
function kindsOf({ device }: Attempt): readonly AttemptKind[] {
  return device === '' ? ['per_ip', 'per_ip_and_email', 'per_email'] : ['per_device'];
}
