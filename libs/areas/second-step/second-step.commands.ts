import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import { Database, type Queryable, type Transaction } from '#platform/database/database';
import { SlidingWindow } from '#platform/database/sliding-window';
import { Refusal } from '#platform/http/refusal';
import { Clock } from '#platform/time/clock';
import { hashSecret } from '#platform/text/hash-secret';
import { PasskeysCommands } from './passkeys.commands';
import { newRecoveryCodes, recoveryCodeHash } from './recovery-codes';
import {
  BEGIN_HALF_SESSION,
  DELETE_RECOVERY_CODES,
  DROP_HALF_SESSIONS,
  END_HALF_SESSIONS,
  DELETE_TRIES,
  HALF_SESSION,
  INSERT_RECOVERY_CODES,
  SECOND_STEP_STATE,
  TAKE_RECOVERY_CODE,
  type HalfSessionRow,
  type SecondStepRow,
} from './second-step.query';
import { TotpCommands } from './totp.commands';
import { isTotpCode } from './totp.rules';

/** The state of an account's second step. */
export interface SecondStep {
  readonly isOn: boolean;
  /** When the authenticator app was confirmed; null if the account has no confirmed app. */
  readonly totpSince: Date | null;
  readonly passkeys: number;
  readonly recoveryCodes: number;
}

/** A pending sign-in, also called half session (README.md): the password was verified, but the second step was not. */
export interface PendingSignIn {
  readonly userId: number;
  readonly passwordFingerprint: string;
}

/**
 * The second step of an account. It is on while the account has a confirmed authenticator app or a passkey
 * (docs/rules/second-step.md).
 */
@Injectable()
export class SecondStepCommands {
  private readonly tries = new SlidingWindow({
    name: 'second_step_tries',
    table: 'second_step_tries',
    key: ['user_id'],
    timestamps: 'tried_at',
    ...LIMITS.second_step.codes,
  });

  constructor(
    private readonly database: Database,
    private readonly totp: TotpCommands,
    private readonly passkeys: PasskeysCommands,
    private readonly clock: Clock,
  ) {}

  async stateOf(database: Queryable, userId: number): Promise<SecondStep> {
    const [row] = await database.rows<SecondStepRow>(SECOND_STEP_STATE, [userId]);
    const { totp_since = null, passkeys = 0, recovery_codes = 0 } = row ?? {};
    return {
      isOn: totp_since !== null || passkeys > 0,
      totpSince: totp_since,
      passkeys,
      recoveryCodes: recovery_codes,
    };
  }

  /**
   * Counts an attempt before its code is checked, so that concurrent attempts are limited too. Throws 429 above the
   * limit. Throws SecretReplaced and counts nothing if the text has the form of a TOTP code, but this process cannot
   * decrypt the account's TOTP secret because APP_SECRET was replaced.
   */
  async countAttempt(userId: number, typed: string): Promise<void> {
    if (isTotpCode(withoutSpaces(typed))) await this.totp.refuseUnreadable(userId);
    const retryAfter = await this.tries.take(this.database.outsideTransaction, [userId], this.clock.now());
    if (retryAfter !== null) throw new Refusal('too_many_requests', { retryAfter });
  }

  /**
   * Whether the code is a correct code of the app or an unused recovery code. In both cases, the code cannot be used
   * again, and the counted attempts of the account are deleted. The calling code must have locked the account.
   */
  async verifyCode(tx: Transaction, userId: number, typed: string): Promise<boolean> {
    const hash = recoveryCodeHash(typed);
    const isCorrect =
      (await this.totp.verify(tx, userId, withoutSpaces(typed))) ||
      (hash !== null && (await tx.rows(TAKE_RECOVERY_CODE, [userId, hash])).length > 0);
    if (isCorrect) await tx.rows(DELETE_TRIES, [userId]);
    return isCorrect;
  }

  /**
   * Replaces all recovery codes, and returns the new codes; only their hashes are stored. The calling code must have
   * locked the account.
   */
  async renewRecoveryCodes(tx: Transaction, userId: number): Promise<string[]> {
    const codes = newRecoveryCodes();
    await tx.rows(DELETE_RECOVERY_CODES, [userId]);
    await tx.rows(INSERT_RECOVERY_CODES, [userId, codes.map(recoveryCodeHash)]);
    return codes;
  }

  /** Deletes the recovery codes if the second step is off. The calling code must have locked the account. */
  async deleteRecoveryCodesIfOff(tx: Transaction, userId: number): Promise<void> {
    if (!(await this.stateOf(tx, userId)).isOn) await tx.rows(DELETE_RECOVERY_CODES, [userId]);
  }

  /**
   * Removes the app, the passkeys, the recovery codes and the pending sign-ins. Only a command of the operator calls
   * this method. The calling code must have locked the account.
   */
  async turnOff(tx: Transaction, userId: number): Promise<void> {
    await this.totp.remove(tx, userId);
    await this.passkeys.removeAll(tx, userId);
    await this.deleteRecoveryCodesIfOff(tx, userId);
    await this.endPendingSignIns(tx, userId);
  }

  /**
   * Stores for ten minutes that the password was verified. Returns the key of the pending sign-in; only the hash of the
   * key is stored. Also deletes expired pending sign-ins of all accounts.
   */
  async beginPendingSignIn(
    tx: Transaction,
    user: { readonly id: number; readonly passwordHash: string | null },
  ): Promise<string> {
    const now = this.clock.now();
    await tx.rows(DROP_HALF_SESSIONS, [now]);
    const key = randomBytes(32).toString('base64url');
    await tx.rows(BEGIN_HALF_SESSION, [
      hashSecret(key),
      user.id,
      passwordFingerprint(user.passwordHash),
      new Date(now.getTime() + LIMITS.second_step.half_session * 1000),
    ]);
    return key;
  }

  async pendingSignIn(key: string): Promise<PendingSignIn | null> {
    const [row] = await this.database.rows<HalfSessionRow>(HALF_SESSION, [hashSecret(key), this.clock.now()]);
    return row ? { userId: Number(row.user_id), passwordFingerprint: row.password_seen } : null;
  }

  async endPendingSignIns(tx: Transaction, userId: number): Promise<void> {
    await tx.rows(END_HALF_SESSIONS, [userId]);
  }
}

/** Returns a value that changes when the password changes. A later request compares it to detect such a change. */
export function passwordFingerprint(passwordHash: string | null): string {
  return hashSecret(passwordHash ?? '');
}

/** Removes spaces, because apps display a code in two groups. */
function withoutSpaces(typed: string): string {
  return typed.replace(/\s/g, '');
}
