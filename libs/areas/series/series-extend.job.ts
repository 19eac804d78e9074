import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { LessThanOrEqual } from 'typeorm';
import { Database } from '#platform/database/database';
import type { Job, JobContext, JobResult } from '#platform/jobs/job';
import { OccurrencesCommands } from '../events/occurrences.commands';
import { generationHorizon } from './recurrence';
import { Series } from './series.entity';
import { ANY_SERIES_DUE, STORE_SERIES_PROGRESS } from './series.query';

/** So many series are looked at in one transaction, and so many occurrences made: each is written into Discover's indexes too. */
const SERIES = 50;
const OCCURRENCES = 60;

/** How long to leave a series alone that somebody else is at: another run, or its organizer. */
const WAITS_MS = 100;

/**
 * Makes the occurrences that have come within 8 weeks (SER-6, SER-7), all that are
 * missing after a downtime too. What has been made is counted in the series and locked with it, so any number of these
 * may run at once and share the work, and a deleted occurrence does not come back. Whoever returns leaves nothing due.
 */
@Injectable()
export class SeriesExtendJob implements Job {
  readonly name = 'series-extend';
  readonly every = 'day';

  constructor(
    private readonly database: Database,
    private readonly occurrences: OccurrencesCommands,
  ) {}

  async run({ now, signal }: JobContext): Promise<JobResult> {
    const horizon = generationHorizon(now);
    let created = 0;
    for (;;) {
      signal.throwIfAborted();
      const due = await this.database.rows(ANY_SERIES_DUE, [horizon]);
      if (due.length === 0) return { occurrences_created: created };
      const made = await this.extend(horizon);
      created += made;
      if (made === 0) await pause(WAITS_MS, undefined, { signal });
    }
  }

  /** One transaction's worth, of series that nobody else is at. Returns how many occurrences it made. */
  private async extend(horizon: Date): Promise<number> {
    return this.database.transaction(async (tx) => {
      const due = await tx.manager.find(Series, {
        where: { nextStart: LessThanOrEqual(horizon) },
        order: { nextStart: 'ASC' },
        take: SERIES,
        lock: { mode: 'pessimistic_write', onLocked: 'skip_locked' },
      });
      let room = OCCURRENCES;
      const extended = due.map((series) => {
        const occurrences = series.generate(horizon, room);
        room -= occurrences.length;
        return { seriesId: series.id, organizerId: series.organizerId, template: series.template, occurrences };
      });
      const created = await this.occurrences.create(
        tx,
        extended.filter(({ occurrences }) => occurrences.length > 0),
      );
      await tx.rows(STORE_SERIES_PROGRESS, [
        due.map((series) => series.id),
        due.map((series) => series.generated),
        due.map((series) => series.nextStart),
      ]);
      return created;
    });
  }
}
