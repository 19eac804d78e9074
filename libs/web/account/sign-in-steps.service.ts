import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { User } from '#areas/identity/user.entity';
import { UsersReader } from '#areas/identity/users.reader';
import { PasskeysCommands, type Challenge } from '#areas/second-step/passkeys.commands';
import { passwordFingerprint, SecondStepCommands } from '#areas/second-step/second-step.commands';
import type { Transaction } from '#platform/database/database';
import { parsedJson } from '#platform/text/json';
import { pendingKeyOf } from '../session';
import { attemptOf, SignInAttempts } from './sign-in-attempts';
import { SignIns } from './sign-ins';

/** The second step of signing in (STEP-1 to STEP-6). */
@Injectable()
export class SignInStepsService {
  constructor(
    private readonly users: UsersReader,
    private readonly secondStep: SecondStepCommands,
    private readonly passkeys: PasskeysCommands,
    private readonly signIns: SignIns,
    private readonly attempts: SignInAttempts,
  ) {}

  /**
   * Returns the account whose sign-in in this browser waits for the second step. Returns null if no sign-in waits, if
   * the password was verified more than ten minutes ago, or if the password was changed or the account was banned since
   * then.
   */
  async pendingUser(request: FastifyRequest): Promise<User | null> {
    const key = pendingKeyOf(request);
    const pending = key === undefined ? null : await this.secondStep.pendingSignIn(key);
    const user = pending && (await this.users.byId(pending.userId));
    return user && !user.banned && passwordFingerprint(user.passwordHash) === pending.passwordFingerprint ? user : null;
  }

  /**
   * Completes the sign-in with a code. Returns false for a wrong code, or if the password was changed or the account
   * was banned in the meantime. Throws 429 after too many wrong codes.
   */
  async verifyCode(request: FastifyRequest, user: User, code: string): Promise<boolean> {
    await this.secondStep.countAttempt(user.id, code);
    return this.completeSignIn(request, user, (tx) => this.secondStep.verifyCode(tx, user.id, code));
  }

  /**
   * Completes the sign-in with a passkey's response to the challenge. Returns false for a wrong response, or if the
   * password was changed or the account was banned in the meantime.
   */
  async verifyPasskey(
    request: FastifyRequest,
    user: User,
    challenge: Challenge,
    response: string | undefined,
  ): Promise<boolean> {
    const answer = parsedJson(response);
    return this.completeSignIn(
      request,
      user,
      async (tx) => (await this.passkeys.verify(tx, { userId: user.id }, challenge, answer)) !== null,
    );
  }

  /**
   * Signs in without a password: the passkey identifies the account. Returns false for an unknown passkey or a wrong
   * response, or if the password was changed or the account was banned in the meantime.
   */
  async signInByPasskey(request: FastifyRequest, challenge: Challenge, response: string | undefined): Promise<boolean> {
    const answer = parsedJson(response);
    const userId = await this.passkeys.accountOf(answer);
    const user = userId === null ? null : await this.users.byId(userId);
    if (!user) return false;
    return this.signIns.begin(
      request,
      user,
      async (tx) => (await this.passkeys.verify(tx, 'anybody', challenge, answer)) === user.id,
    );
  }

  /**
   * Signs in if the proof is valid, and then resets the counts of attempts to sign in to the account (PAGE-18). A
   * correct password without the second step does not reset these counts.
   */
  private async completeSignIn(
    request: FastifyRequest,
    user: User,
    proof: (tx: Transaction) => Promise<boolean>,
  ): Promise<boolean> {
    const attempt = user.email === null ? null : attemptOf(request, user.email);
    const isSignedIn = await this.signIns.begin(request, user, proof);
    if (isSignedIn && attempt) await this.attempts.reset(attempt);
    return isSignedIn;
  }
}
