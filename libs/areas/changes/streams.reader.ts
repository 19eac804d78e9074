import { Injectable } from '@nestjs/common';
import type { Queryable } from '#platform/database/database';
import type { Usage } from '#platform/database/usage';
import { OpenRequestLimits } from './live/open-request-limits';

/** Reports to other areas how many streams of `GET /changes` an account has open. */
@Injectable()
export class StreamsReader {
  constructor(private readonly limits: OpenRequestLimits) {}

  /** The number of open streams of the account, on all servers. */
  usage(database: Queryable, accountId: number): Promise<Usage> {
    return this.limits.usage(database, accountId);
  }
}
