import { Injectable } from '@nestjs/common';
import type { Queryable } from '#platform/database/database';
import { COUNT_EVENT_DAY } from './statistics.query';

/** Counts changes that the statuses of participations do not show (STAT-5). */
@Injectable()
export class StatisticsCommands {
  /**
   * Counts offers of seats that were made or ended today. SQL functions call `count_event_day` instead, for example
   * with 'offers_made'.
   */
  async countOffers(
    on: Queryable,
    eventId: number,
    what: 'made' | 'accepted' | 'declined' | 'lapsed',
    number = 1,
  ): Promise<void> {
    if (number > 0) await on.rows(COUNT_EVENT_DAY, [eventId, `offers_${what}`, number]);
  }
}
