import { Injectable } from '@nestjs/common';
import type { Queryable } from '#platform/database/database';
import type { Usage } from '#platform/rate-limit/usage';
import { Holds } from './live/holds';

/** Counts open streams of `GET /changes` for other areas. */
@Injectable()
export class StreamsReader {
  constructor(private readonly holds: Holds) {}

  /** The number of open streams of the account, on all servers. */
  usage(on: Queryable, accountId: number): Promise<Usage> {
    return this.holds.usage(on, accountId);
  }
}
