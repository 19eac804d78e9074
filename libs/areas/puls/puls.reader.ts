import { Injectable } from '@nestjs/common';
import type { Queryable } from '#platform/database/database';
import { Clock } from '#platform/time/clock';
import type { Caller } from '../identity/caller.reader';
import type { PulsFeedQueryDto } from './puls.dto';
import { SEES_PULS_POST } from './puls.query';
import { PulsService, type PulsFeed } from './puls.service';

/** Questions about posts that pages and other areas may ask. */
@Injectable()
export class PulsReader {
  constructor(
    private readonly puls: PulsService,
    private readonly clock: Clock,
  ) {}

  /** Active posts around a place, nearest first, as the caller may see them. */
  around(caller: Caller, query: PulsFeedQueryDto): Promise<PulsFeed> {
    return this.puls.feed(caller, query);
  }

  /** Whether the post is active and not of somebody whom the user blocks or who blocks them; wherever it is. */
  async isSeenBy(on: Queryable, pulsId: number, userId: number): Promise<boolean> {
    return (await on.rows(SEES_PULS_POST, [pulsId, userId, this.clock.now()])).length > 0;
  }
}
