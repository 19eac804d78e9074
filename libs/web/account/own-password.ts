import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { User } from '#areas/identity/user.entity';
import { Accounts } from './accounts';
import { SignInAttempts } from './sign-in-attempts';

/** Verifies the password of a signed-in person. Attempts count towards the limit on sign-in attempts. */
@Injectable()
export class OwnPassword {
  constructor(
    private readonly accounts: Accounts,
    private readonly attempts: SignInAttempts,
  ) {}

  /** Returns false for a wrong password, and for an account without an e-mail address. Throws 429 above the limit. */
  async isCorrect({ email }: User, password: string, request: FastifyRequest): Promise<boolean> {
    if (email === null) return false;
    const attempt = await this.attempts.count(request, email);
    if (!(await this.accounts.authenticate(email, password))) return false;
    await this.attempts.reset(attempt);
    return true;
  }
}
