import { Injectable } from '@nestjs/common';
import type { Queryable } from '#platform/database/database';
import type { Usage } from '#platform/rate-limit/usage';
import { Holds } from './live/holds';

/** What other areas may ask about streams. */
@Injectable()
export class StreamsReader {
  constructor(private readonly holds: Holds) {}

  /** How many streams of the account are open, on all servers. */
  usage(on: Queryable, accountId: number): Promise<Usage> {
    return this.holds.usage(on, accountId);
  }
}
