import { Injectable } from '@nestjs/common';
import { Database } from '#platform/database/database';
import type { Job, JobContext, JobResult } from '#platform/jobs/job';
import { EVENTS_WITH_SEATS_DUE } from './waitlist/waitlist.query';
import { WaitlistSeats } from './waitlist/waitlist-seats';

const BATCH = 200;

/**
 * Ends an offer that has expired, that its person can no longer accept, or whose event no longer makes offers. Passes
 * free seats on to waitlisted people, for example to a person who has become able to join (JOIN-58). Each event has its
 * own transaction, which locks the event and checks it again. So a repeated run changes nothing.
 */
@Injectable()
export class OffersSweepJob implements Job {
  readonly name = 'offers-sweep';
  readonly every = 'minute';

  constructor(
    private readonly database: Database,
    private readonly seats: WaitlistSeats,
  ) {}

  async run({ now, signal }: JobContext): Promise<JobResult> {
    let moved = 0;
    for (;;) {
      const due = await this.database.rows<{ id: string }>(EVENTS_WITH_SEATS_DUE, [now, BATCH]);
      let movedInBatch = 0;
      for (const { id } of due) {
        signal.throwIfAborted();
        movedInBatch += await this.seats.settleAlone(Number(id));
      }
      moved += movedInBatch;
      // If nobody in a full batch was moved, other transactions have settled these events. Then the run also ends.
      if (due.length < BATCH || movedInBatch === 0) return { people_moved: moved };
    }
  }
}
