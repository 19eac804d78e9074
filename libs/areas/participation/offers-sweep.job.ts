import { Injectable } from '@nestjs/common';
import { Database } from '#platform/database/database';
import { eachSeparately } from '#platform/jobs/each-separately';
import type { Job, JobContext, JobResult } from '#platform/jobs/job';
import { EVENTS_WITH_SEATS_DUE } from './waitlist/waitlist.query';
import { WaitlistSeats } from './waitlist/waitlist-seats';

const BATCH = 200;

/**
 * Ends offers that have expired, offers whose recipient can no longer accept them, and offers of events that no longer
 * make offers. Passes free seats on to waitlisted people, for example to a person who has become able to join
 * (JOIN-58). Each event has its own transaction, which locks the event and checks it again. So a repeated run changes
 * nothing.
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
      await eachSeparately(due, signal, async ({ id }) => {
        movedInBatch += await this.seats.settleAlone(Number(id));
      });
      moved += movedInBatch;
      // If nobody was moved in a full batch, the run ends too: other transactions have settled these events.
      if (due.length < BATCH || movedInBatch === 0) return { people_moved: moved };
    }
  }
}
