import { Injectable } from '@nestjs/common';
import { Sealer } from '#platform/config/sealer';
import { Database, type Queryable, type Transaction } from '#platform/database/database';
import { Clock } from '#platform/time/clock';
import { BEGIN_TOTP, DELETE_TOTP, TAKE_STEP, TOTP, type TotpRow } from './second-step.query';
import { isTotpCode, newTotpSecret, stepOfCode } from './totp.rules';

/**
 * Codes of an authenticator app (STEP-2, STEP-3). Before a call of a method with the parameter `tx`, the account must
 * be locked.
 */
@Injectable()
export class TotpCommands {
  constructor(
    private readonly database: Database,
    private readonly sealer: Sealer,
    private readonly clock: Clock,
  ) {}

  /**
   * Creates a secret that waits for its first code. The new secret replaces an unconfirmed secret. If a confirmed
   * secret exists, nothing changes.
   */
  async begin(tx: Transaction, userId: number): Promise<void> {
    await tx.rows(BEGIN_TOTP, [userId, this.sealer.seal(newTotpSecret()), this.clock.now()]);
  }

  /** The secret that waits for its first code, in base 32; null if there is none. */
  async pendingSecret(userId: number): Promise<string | null> {
    const row = await this.row(this.database, userId);
    return row && row.confirmed_at === null ? await this.sealer.open(row.secret_sealed) : null;
  }

  /**
   * Activates the secret with its first code. Returns false for a wrong code, and if no secret waits for its first
   * code.
   */
  async confirm(tx: Transaction, userId: number, code: string): Promise<boolean> {
    return this.useCode(tx, userId, code, await this.row(tx, userId), false);
  }

  /**
   * Checks a code, and marks the code as used. Returns false for a wrong code, for a code that is not newer than the
   * last used code, and if the account has no confirmed secret.
   */
  async verify(tx: Transaction, userId: number, code: string): Promise<boolean> {
    return this.useCode(tx, userId, code, await this.row(tx, userId), true);
  }

  /**
   * Throws SecretReplaced if this process cannot decrypt the secret because APP_SECRET was replaced. Call this method
   * before an attempt is counted, so that an attempt that this process cannot check is not counted.
   */
  async refuseUnreadable(userId: number): Promise<void> {
    const row = await this.row(this.database, userId);
    if (row) await this.sealer.open(row.secret_sealed);
  }

  async remove(tx: Transaction, userId: number): Promise<void> {
    await tx.rows(DELETE_TOTP, [userId]);
  }

  /**
   * Marks the code as used. Returns false for a wrong code, for a code that is not newer than the last used code, and
   * if there is no secret in the required state.
   *
   * @param mustBeConfirmed true: the secret must be confirmed; false: it must wait for its first code
   */
  private async useCode(
    tx: Transaction,
    userId: number,
    code: string,
    row: TotpRow | null,
    mustBeConfirmed: boolean,
  ): Promise<boolean> {
    const secret =
      row && (row.confirmed_at !== null) === mustBeConfirmed && isTotpCode(code)
        ? await this.sealer.open(row.secret_sealed)
        : null;
    const now = this.clock.now();
    const step = secret === null ? null : stepOfCode(secret, code, now);
    return step !== null && (await tx.rows(TAKE_STEP, [userId, step, now])).length > 0;
  }

  private async row(database: Queryable, userId: number): Promise<TotpRow | null> {
    const [row] = await database.rows<TotpRow>(TOTP, [userId]);
    return row ?? null;
  }
}
