import { Injectable } from '@nestjs/common';
import type { Queryable } from '#platform/database/database';
import { Clock } from '#platform/time/clock';
import { SEES_PULS_POST } from './puls.query';

/** Reads Puls posts for other areas. */
@Injectable()
export class PulsReader {
  constructor(private readonly clock: Clock) {}

  /**
   * Whether the post is active and not hidden by moderation, and no block exists between its author and the user. The
   * distance between the post and the user does not matter.
   */
  async isSeenBy(database: Queryable, pulsId: number, userId: number): Promise<boolean> {
    return (await database.rows(SEES_PULS_POST, [pulsId, userId, this.clock.now()])).length > 0;
  }
}
