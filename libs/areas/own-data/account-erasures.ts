import { Injectable } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import { Database, statement } from '#platform/database/database';
import { Clock } from '#platform/time/clock';

const REQUEST_ERASURE = statement(
  'own_data_request_erasure',
  'INSERT INTO account_erasures (user_id, asked_at, due_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
);
const WITHDRAW_ERASURE = statement('own_data_withdraw_erasure', 'DELETE FROM account_erasures WHERE user_id = $1');
const ERASURE_DUE_AT = statement('own_data_erasure_due_at', 'SELECT due_at FROM account_erasures WHERE user_id = $1');

/**
 * Requests of people to erase their accounts. An account is erased 14 days after the request, unless its owner
 * withdraws the request (DATA-8).
 */
@Injectable()
export class AccountErasures {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Requests erasure. A repeated request does not change the date of the erasure. */
  async request(userId: number): Promise<void> {
    const now = this.clock.now();
    await this.database.autocommit.rows(REQUEST_ERASURE, [
      userId,
      now,
      new Date(now.getTime() + LIMITS.own_data.erasure_after * 1000),
    ]);
  }

  /** Withdraws the request. Has no effect if erasure was not requested. */
  async withdraw(userId: number): Promise<void> {
    await this.database.autocommit.rows(WITHDRAW_ERASURE, [userId]);
  }

  /** The time from which the job `account-erasures` may erase the account; null if erasure is not requested. */
  async dueAt(userId: number): Promise<Date | null> {
    const [row] = await this.database.rows<{ due_at: Date }>(ERASURE_DUE_AT, [userId]);
    return row?.due_at ?? null;
  }
}
