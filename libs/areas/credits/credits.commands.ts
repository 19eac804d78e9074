import { Injectable } from '@nestjs/common';
import type { Transaction } from '#platform/database/database';
import { Clock } from '#platform/time/clock';
import {
  GRANT_CREDITS,
  HOLD_CREDITS,
  LOCK_CREDIT_ACCOUNT,
  LOCK_ACCOUNTS_OF_HOLDS,
  INSERT_CREDIT_ACCOUNT,
  REFUND_CREDITS,
  RELEASE_CREDITS,
} from './ledger.query';

/** Thrown if the account has fewer credits than the amount to be taken. */
export class NotEnoughCredits extends Error {
  constructor() {
    super('The account does not have enough credits.');
  }
}

/** Credits returned to a person who had paid for an event. */
export interface Refund {
  readonly eventId: number;
  readonly userId: number;
  /** Whole credits. */
  readonly amount: number;
}

/** Holds with these ids, or all holds of these events. */
interface Holds {
  readonly holdIds?: readonly number[] | null;
  readonly eventIds?: readonly number[] | null;
}

/**
 * The ledger: credits are granted to an account and held for an event. Each hold is settled once: its credits are
 * either released to the organizer or refunded. Code that holds, releases or refunds credits must have locked the
 * event. The methods lock the accounts, in the order of user ids.
 */
@Injectable()
export class CreditsCommands {
  constructor(private readonly clock: Clock) {}

  /** Adds credits. A negative amount removes credits. Throws NotEnoughCredits if the balance is too low. */
  async grant(tx: Transaction, userId: number, amount: number): Promise<void> {
    const { balance } = await this.lockAccount(tx, userId);
    if (balance + amount < 0) throw new NotEnoughCredits();
    if (amount !== 0) await tx.rows(GRANT_CREDITS, [userId, amount, this.clock.now()]);
  }

  /** Sets the balance by granting the difference. Held credits are not changed. */
  async setBalance(tx: Transaction, userId: number, balance: number): Promise<void> {
    const account = await this.lockAccount(tx, userId);
    await this.grant(tx, userId, balance - account.balance);
  }

  /**
   * Holds a participant's credits for an event, and returns the id of the hold. Throws NotEnoughCredits if the balance
   * is too low.
   */
  async hold(tx: Transaction, payment: { eventId: number; userId: number; amount: number }): Promise<number> {
    const { eventId, userId, amount } = payment;
    const { balance } = await this.lockAccount(tx, userId);
    if (balance < amount) throw new NotEnoughCredits();
    const [hold] = await tx.rows<{ id: string }>(HOLD_CREDITS, [eventId, userId, amount, this.clock.now()]);
    return Number(hold?.id);
  }

  /** Refunds the credits of a hold. Does nothing if the hold is already released or refunded. */
  async refund(tx: Transaction, holdId: number): Promise<void> {
    await this.refundAll(tx, { holdIds: [holdId] });
  }

  /** Refunds all credits that are held for these events, in two statements. Returns the refunds. */
  async refundEvents(tx: Transaction, eventIds: readonly number[]): Promise<Refund[]> {
    return this.refundAll(tx, { eventIds });
  }

  /** Pays the credits of a hold to the organizer. Does nothing if the hold is already released or refunded. */
  async release(tx: Transaction, holdId: number, organizerId: number): Promise<void> {
    await this.releaseAll(tx, [holdId], organizerId);
  }

  /** Like `release`, for several holds. */
  async releaseAll(tx: Transaction, holdIds: readonly number[], organizerId: number): Promise<void> {
    if (holdIds.length === 0) return;
    await tx.rows(INSERT_CREDIT_ACCOUNT, [organizerId]);
    // Locks all accounts together, because locks that are taken one by one would not follow the order of user ids.
    await tx.rows(LOCK_ACCOUNTS_OF_HOLDS, [holdIds, null, organizerId]);
    for (const holdId of holdIds) await tx.rows(RELEASE_CREDITS, [holdId, organizerId, this.clock.now()]);
  }

  private async refundAll(tx: Transaction, { holdIds = null, eventIds = null }: Holds): Promise<Refund[]> {
    await tx.rows(LOCK_ACCOUNTS_OF_HOLDS, [holdIds, eventIds, null]);
    const rows = await tx.rows<{ event_id: string; user_id: string; amount: string }>(REFUND_CREDITS, [
      holdIds,
      eventIds,
      this.clock.now(),
    ]);
    return rows.map(({ event_id, user_id, amount }) => ({
      eventId: Number(event_id),
      userId: Number(user_id),
      amount: Number(amount),
    }));
  }

  /** Locks the user's account (first creates one if the user has none), and returns its balance. */
  private async lockAccount(tx: Transaction, userId: number): Promise<{ balance: number }> {
    await tx.rows(INSERT_CREDIT_ACCOUNT, [userId]);
    const [row] = await tx.rows<{ balance: string }>(LOCK_CREDIT_ACCOUNT, [userId]);
    return { balance: Number(row?.balance ?? 0) };
  }
}
