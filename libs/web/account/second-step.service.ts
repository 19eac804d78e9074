import { Injectable } from '@nestjs/common';
import { lockAccount } from '#areas/identity/users.reader';
import { WebSessions } from '#areas/identity/web-sessions';
import { PasskeysCommands, type Challenge } from '#areas/second-step/passkeys.commands';
import { SecondStepCommands } from '#areas/second-step/second-step.commands';
import { TotpCommands } from '#areas/second-step/totp.commands';
import { LIMITS } from '#contract/limits';
import { Database, type Transaction } from '#platform/database/database';
import { parsedJson } from '#platform/text/json';
import type { Member } from '../page.decorators';

/**
 * The result of turning on an authenticator app or a passkey. `codes`: new recovery codes, which are shown only once;
 * null if the account already had a second step.
 */
export interface TurnedOn {
  readonly codes: readonly string[] | null;
}

/**
 * Turns the second step of the signed-in account on and off, and renews its recovery codes (STEP-3, STEP-4, STEP-7 to
 * STEP-9).
 */
@Injectable()
export class SecondStepService {
  constructor(
    private readonly database: Database,
    private readonly secondStep: SecondStepCommands,
    private readonly totp: TotpCommands,
    private readonly passkeys: PasskeysCommands,
    private readonly sessions: WebSessions,
  ) {}

  beginApp(userId: number): Promise<void> {
    return this.withLockedAccount(userId, (tx) => this.totp.begin(tx, userId));
  }

  /** Returns null if the code does not match the secret that is being set up, or if there is no such secret. */
  confirmApp(member: Member, code: string): Promise<TurnedOn | null> {
    return this.turnOn(member, (tx) => this.totp.confirm(tx, member.user.id, code.replace(/\s/g, '')));
  }

  /**
   * Returns null if the response does not match the challenge, or if the account has the maximum number of passkeys.
   */
  async addPasskey(
    member: Member,
    name: string,
    challenge: Challenge,
    response: string | undefined,
  ): Promise<TurnedOn | null> {
    const answer = parsedJson(response);
    return this.turnOn(member, async (tx) => {
      const { passkeys } = await this.secondStep.stateOf(tx, member.user.id);
      return passkeys < LIMITS.second_step.passkeys && this.passkeys.add(tx, member.user.id, name, challenge, answer);
    });
  }

  removeApp(userId: number): Promise<void> {
    return this.withLockedAccount(userId, async (tx) => {
      await this.totp.remove(tx, userId);
      await this.secondStep.deleteRecoveryCodesIfOff(tx, userId);
    });
  }

  /** Returns false if the account has no such passkey. */
  removePasskey(userId: number, id: number): Promise<boolean> {
    return this.withLockedAccount(userId, async (tx) => {
      const removed = await this.passkeys.remove(tx, userId, id);
      await this.secondStep.deleteRecoveryCodesIfOff(tx, userId);
      return removed;
    });
  }

  /** Returns null if the account has no second step. */
  renewCodes(userId: number): Promise<readonly string[] | null> {
    return this.withLockedAccount(userId, async (tx) => {
      return (await this.secondStep.stateOf(tx, userId)).isOn ? this.secondStep.renewRecoveryCodes(tx, userId) : null;
    });
  }

  /**
   * Turns on an authenticator app or a passkey. Ends the account's other sessions, and all sign-ins that wait for the
   * second step. Returns null if `change` returns false.
   */
  private turnOn({ user, session }: Member, change: (tx: Transaction) => Promise<boolean>): Promise<TurnedOn | null> {
    return this.withLockedAccount(user.id, async (tx) => {
      const { isOn } = await this.secondStep.stateOf(tx, user.id);
      if (!(await change(tx))) return null;
      await this.sessions.endOthers(tx, session);
      await this.secondStep.endPendingSignIns(tx, user.id);
      return { codes: isOn ? null : await this.secondStep.renewRecoveryCodes(tx, user.id) };
    });
  }

  private withLockedAccount<T>(userId: number, work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.database.transaction(async (tx) => {
      await lockAccount(tx, userId);
      return work(tx);
    });
  }
}
