import { Injectable } from '@nestjs/common';
import type { ParticipationState } from '#contract/vocabulary';
import { statement, type Queryable } from '#platform/database/database';
import { usageWithoutExpiry, type Usage } from '#platform/database/usage';
import { WireFormat } from '#platform/http/wire-format';
import { VIEWER_STATES_SQL } from '../events/event-relation';
import { blocksSql } from '../identity/account-conditions.sql';

const SELECT_PARTICIPATIONS_OF_USER = statement(
  'participation_of_user',
  'SELECT event_id, status FROM participations WHERE user_id = $1 ORDER BY event_id',
);

const COUNT_PENDING_REQUESTS = statement(
  'participation_pending_requests',
  'SELECT f_pending_requests($1, NULL) AS total',
);

const SHARED_EVENT = statement(
  'participation_shared_event',
  `SELECT 1 AS shared FROM events e
    WHERE e.id IN (SELECT id FROM all_events WHERE organizer_id = $1 UNION ALL SELECT event_id FROM participations WHERE user_id = $1 AND status IN (${VIEWER_STATES_SQL}))
      AND (e.organizer_id = $2 OR EXISTS (SELECT 1 FROM participations p WHERE p.event_id = e.id AND p.user_id = $2 AND p.status IN (${VIEWER_STATES_SQL}))) LIMIT 1`,
);

/** The users with one of the statuses $2 at event $1 who do not block user $3. Deleted accounts are omitted. */
const REACHABLE = statement(
  'participation_reachable',
  `SELECT p.user_id FROM participations p JOIN users u ON u.id = p.user_id
    WHERE p.event_id = $1 AND p.status = ANY($2::text[]) AND NOT u.gone
      AND NOT ${blocksSql('p.user_id', '$3')} ORDER BY p.user_id`,
);

/** Reads participations for other areas. */
@Injectable()
export class ParticipationReader {
  constructor(private readonly wire: WireFormat) {}

  /** The number of the user's requests to join that the organizer can still answer (JOIN-66). */
  async joinRequestUsage(database: Queryable, userId: number): Promise<Usage> {
    const [row] = await database.rows<{ total: number }>(COUNT_PENDING_REQUESTS, [userId]);
    return usageWithoutExpiry(row?.total ?? 0);
  }

  /**
   * Whether the two users have an event in common: each of them is the organizer of this event or has one of the
   * statuses in VIEWER_STATES. Past events also count; hidden events do not.
   */
  async haveEventInCommon(database: Queryable, oneId: number, otherId: number): Promise<boolean> {
    return (await database.rows(SHARED_EVENT, [oneId, otherId])).length > 0;
  }

  /**
   * The ids, in ascending order, of the people who have one of these statuses at the event. People who block the
   * organizer and people who have deleted their accounts are omitted.
   */
  async reachableUserIds(
    database: Queryable,
    { id, organizerId }: { readonly id: number; readonly organizerId: number },
    states: readonly ParticipationState[],
  ): Promise<number[]> {
    const rows = await database.rows<{ user_id: string }>(REACHABLE, [id, states, organizerId]);
    return rows.map(({ user_id }) => Number(user_id));
  }

  /** All of a user's participations, ordered by event id. */
  async participationsOf(
    database: Queryable,
    userId: number,
  ): Promise<{ event: string; status: ParticipationState }[]> {
    const rows = await database.rows<{ event_id: string; status: ParticipationState }>(SELECT_PARTICIPATIONS_OF_USER, [
      userId,
    ]);
    return rows.map(({ event_id, status }) => ({ event: this.wire.id('event', event_id), status }));
  }
}
