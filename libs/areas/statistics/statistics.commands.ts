import { Injectable } from '@nestjs/common';
import type { Queryable } from '#platform/database/database';
import { COUNT_EVENT_DAY } from './statistics.query';

/** Counts offers of seats, because they cannot be counted from the statuses of participations (STAT-5). */
@Injectable()
export class StatisticsCommands {
  /**
   * Adds `number` to the event's counter of offers that were made, accepted, declined or lapsed (`what`) on the current
   * day in Prague. The other numbers (`Counted`) are counted by the trigger function `count_participation`.
   */
  async countOffers(
    database: Queryable,
    eventId: number,
    what: 'made' | 'accepted' | 'declined' | 'lapsed',
    number = 1,
  ): Promise<void> {
    if (number > 0) await database.rows(COUNT_EVENT_DAY, [eventId, `offers_${what}`, number]);
  }
}
