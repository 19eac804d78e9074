import { Injectable } from '@nestjs/common';
import type { Queryable } from '#platform/database/database';
import { SELECT_CREDIT_ACCOUNT, SELECT_HOLD_STATUS } from './ledger.query';

/** A person's credits: what they can spend, and what they have paid for events that are still to come. */
export interface Credits {
  balance: number;
  held: number;
}

/** Questions about credits that other areas may ask. */
@Injectable()
export class CreditsReader {
  /** Zeros for somebody who never had any. */
  async creditsOf(on: Queryable, userId: number): Promise<Credits> {
    const [row] = await on.rows<{ balance: string; held: string }>(SELECT_CREDIT_ACCOUNT, [userId]);
    return { balance: Number(row?.balance ?? 0), held: Number(row?.held ?? 0) };
  }

  /** Whether the organizer already has what was paid. */
  async isReleased(on: Queryable, holdId: number): Promise<boolean> {
    const [hold] = await on.rows<{ status: string }>(SELECT_HOLD_STATUS, [holdId]);
    return hold?.status === 'released';
  }
}
