import { Injectable } from '@nestjs/common';
import type { ParticipationState } from '#contract/vocabulary';
import { statement, type Transaction } from '#platform/database/database';
import { Clock } from '#platform/time/clock';

const PLACE = statement(
  'participation_place',
  `INSERT INTO participations (event_id, user_id, status, invited_at, requested_at, joined_at, checked_in_at, created_at, updated_at)
   VALUES ($1, $2, $3,
     CASE WHEN $3 = 'pending' THEN $5::timestamptz END,
     CASE WHEN $3 IN ('requested', 'declined') THEN $5::timestamptz END,
     CASE WHEN $3 = 'confirmed' THEN $5::timestamptz END,
     $4, $5, $5)`,
);
const COUNT_IN = statement('participation_count_in', 'UPDATE events SET confirmed_count = confirmed_count + 1 WHERE id = $1');

/** What other areas and operators may have done with participations. */
@Injectable()
export class ParticipationCommands {
  constructor(private readonly clock: Clock) {}

  /** Puts a user into a state without asking the transition table: for operators' documents only. */
  async place(
    tx: Transaction,
    eventId: number,
    userId: number,
    { status, checkedInAt }: { status: ParticipationState; checkedInAt: Date | null },
  ): Promise<void> {
    await tx.rows(PLACE, [eventId, userId, status, checkedInAt, this.clock.now()]);
    if (status === 'confirmed') await tx.rows(COUNT_IN, [eventId]);
  }
}
