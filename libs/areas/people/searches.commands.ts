import { Injectable } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import { Database, type Queryable } from '#platform/database/database';
import { SlidingWindow } from '#platform/database/sliding-window';
import { Refusal } from '#platform/http/refusal';
import type { Usage } from '#platform/database/usage';
import { Clock } from '#platform/time/clock';

const SEARCHES = new SlidingWindow({
  name: 'people_searches',
  table: 'people_searches',
  key: ['user_id'],
  timestamps: 'searched_at',
  ...LIMITS.people.searches,
});

/** Counts searches for people. An account may search 30 times in any minute, on all servers together (PEO-6). */
@Injectable()
export class SearchesCommands {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /**
   * Records a search of the account.
   * @throws Refusal 429 `too_many_requests` if the limit is reached, with the seconds until the next search is allowed
   */
  async countSearch(userId: number): Promise<void> {
    const retryAfter = await this.database.transaction((tx) => SEARCHES.take(tx, [userId], this.clock.now()));
    if (retryAfter !== null) throw new Refusal('too_many_requests', { retryAfter });
  }

  async usage(database: Queryable, userId: number): Promise<Usage> {
    return SEARCHES.usage(database, [userId], this.clock.now());
  }
}
