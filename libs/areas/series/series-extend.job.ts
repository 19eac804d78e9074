import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { LessThanOrEqual } from 'typeorm';
import { Database } from '#platform/database/database';
import type { Job, JobContext, JobResult } from '#platform/jobs/job';
import { OccurrencesCommands } from '../events/occurrences.commands';
import { generationHorizon } from './recurrence';
import { Series } from './series.entity';
import { ANY_SERIES_DUE, STORE_SERIES_PROGRESS } from './series.query';

/**
 * Maximum numbers of series and occurrences in one transaction. They are small, because each occurrence is also written
 * into Discover's indexes.
 */
const MAX_SERIES = 50;
const MAX_OCCURRENCES = 60;

/** Milliseconds before the next attempt, if another run or requests of the organizers have locked all due series. */
const LOCK_WAIT_MS = 100;

/**
 * Creates the occurrences of the next 8 weeks (SER-6, SER-7), including occurrences that were missed during a downtime.
 * The row of a series contains the number of created occurrences, and a run locks this row. So parallel runs share the
 * work, and a deleted occurrence is not created again. A run ends when no occurrence is missing or the run is aborted.
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
      const createdInBatch = await this.extend(horizon);
      created += createdInBatch;
      if (createdInBatch === 0) await pause(LOCK_WAIT_MS, undefined, { signal });
    }
  }

  /**
   * In one transaction, creates at most `MAX_OCCURRENCES` occurrences of at most `MAX_SERIES` due series that no other
   * transaction has locked. Returns the number of created occurrences.
   */
  private async extend(horizon: Date): Promise<number> {
    return this.database.transaction(async (tx) => {
      const due = await tx.manager.find(Series, {
        where: { nextStart: LessThanOrEqual(horizon) },
        order: { nextStart: 'ASC' },
        take: MAX_SERIES,
        lock: { mode: 'pessimistic_write', onLocked: 'skip_locked' },
      });
      let remaining = MAX_OCCURRENCES;
      const extended = due.map((series) => {
        const occurrences = series.generate(horizon, remaining);
        remaining -= occurrences.length;
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
