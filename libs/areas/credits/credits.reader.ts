import { Injectable } from '@nestjs/common';
import type { Queryable } from '#platform/database/database';
import { SELECT_CREDIT_ACCOUNT, SELECT_HOLD_STATUS } from './ledger.query';

/** A person's credits: the balance, and the credits held for events, which the balance does not include. */
export interface Credits {
  balance: number;
  held: number;
}

/** Reads credits for other areas. */
@Injectable()
export class CreditsReader {
  /** Both numbers are 0 for a person without a credit account. */
  async creditsOf(database: Queryable, userId: number): Promise<Credits> {
    const [row] = await database.rows<{ balance: string; held: string }>(SELECT_CREDIT_ACCOUNT, [userId]);
    return { balance: Number(row?.balance ?? 0), held: Number(row?.held ?? 0) };
  }

  /** Whether the credits of this hold were paid to the organizer; false for an unknown hold. */
  async isReleased(database: Queryable, holdId: number): Promise<boolean> {
    const [hold] = await database.rows<{ status: string }>(SELECT_HOLD_STATUS, [holdId]);
    return hold?.status === 'released';
  }
}
