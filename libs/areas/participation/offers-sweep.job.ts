import { Injectable } from '@nestjs/common';
import { Database } from '#platform/database/database';
import type { Job, JobContext, JobResult } from '#platform/jobs/job';
import { EVENTS_WITH_SEATS_DUE } from './waitlist/waitlist.query';
import { WaitlistSeats } from './waitlist/waitlist-seats';

const BATCH = 200;

/**
 * Ends offers that have lapsed or cannot be taken, and passes free seats on to people who have become able to join
 * (JOIN-58): a transaction for each event. Each judges its event again under the lock, so a repeated run changes nothing.
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
      let movedNow = 0;
      for (const { id } of due) {
        signal.throwIfAborted();
        movedNow += await this.seats.settleAlone(Number(id));
      }
      moved += movedNow;
      // Events whose seats were settled in the meantime end the run too.
      if (due.length < BATCH || movedNow === 0) return { people_moved: moved };
    }
  }
}
