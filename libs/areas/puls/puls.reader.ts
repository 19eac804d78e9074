import { Injectable } from '@nestjs/common';
import type { Queryable } from '#platform/database/database';
import { Clock } from '#platform/time/clock';
import type { Caller } from '../identity/caller.reader';
import type { PulsFeedQueryDto } from './puls.dto';
import { SEES_PULS_POST } from './puls.query';
import { PulsService, type PulsFeed } from './puls.service';

/** Reads Puls posts for the web pages and for other areas. */
@Injectable()
export class PulsReader {
  constructor(
    private readonly puls: PulsService,
    private readonly clock: Clock,
  ) {}

  /** The active posts that the caller may see around a place, nearest first; at most `query.limit`. */
  around(caller: Caller, query: PulsFeedQueryDto): Promise<PulsFeed> {
    return this.puls.feed(caller, query);
  }

  /**
   * Whether the post is active and not hidden by moderation, and no block exists between its author and the user. The
   * place does not matter.
   */
  async isSeenBy(on: Queryable, pulsId: number, userId: number): Promise<boolean> {
    return (await on.rows(SEES_PULS_POST, [pulsId, userId, this.clock.now()])).length > 0;
  }
}
