import { Injectable } from '@nestjs/common';
import type { ParticipationState } from '#contract/vocabulary';
import { statement, type Queryable } from '#platform/database/database';
import { lasting, type Usage } from '#platform/rate-limit/usage';
import { WireFormat } from '#platform/http/wire-format';

const SELECT_PARTICIPATIONS_OF_USER = statement(
  'participation_of_user',
  'SELECT event_id, status FROM participations WHERE user_id = $1 ORDER BY event_id',
);

const COUNT_PENDING_REQUESTS = statement(
  'participation_pending_requests',
  'SELECT f_pending_requests($1, NULL) AS total',
);

/** Reads of participations for other areas. */
@Injectable()
export class ParticipationReader {
  constructor(private readonly wire: WireFormat) {}

  /** The number of a user's pending requests. */
  async pendingRequests(on: Queryable, userId: number): Promise<Usage> {
    const [row] = await on.rows<{ total: number }>(COUNT_PENDING_REQUESTS, [userId]);
    return lasting(row?.total ?? 0);
  }

  /** All of a user's participations, by event. */
  async participationsOf(on: Queryable, userId: number): Promise<{ event: string; status: ParticipationState }[]> {
    const rows = await on.rows<{ event_id: string; status: ParticipationState }>(SELECT_PARTICIPATIONS_OF_USER, [
      userId,
    ]);
    return rows.map(({ event_id, status }) => ({ event: this.wire.id('event', event_id), status }));
  }
}
