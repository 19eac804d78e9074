import { Injectable } from '@nestjs/common';
import { In, LessThanOrEqual } from 'typeorm';
import { Database } from '#platform/database/database';
import type { Job, JobContext, JobResult } from '#platform/jobs/job';
import { OccurrencesCommands } from '../events/occurrences.commands';
import { generationHorizon } from './recurrence';
import { Series } from './series.entity';
import { DUE_SERIES, STORE_GENERATED } from './series.query';

/** So many series in one transaction, and so many occurrences of each; what is left is due in the next. */
const BATCH = 50;
const OCCURRENCES = 60;

/**
 * Makes the occurrences that have come within 8 weeks (api-spec, "Series": "a daily job adds the rest"), all that are
 * missing after a downtime too. What has been made is counted in the series and locked with it, so any number of these
 * may run at once, and a deleted occurrence does not come back.
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
      const due = await this.database.rows<{ id: string }>(DUE_SERIES, [horizon, BATCH]);
      if (due.length === 0) return { occurrences_created: created };
      created += await this.extend(due.map(({ id }) => Number(id)), horizon);
    }
  }

  /** Those that another run has extended in the meantime are due no longer. */
  private async extend(ids: readonly number[], horizon: Date): Promise<number> {
    return this.database.transaction(async (tx) => {
      const due = await tx.manager.find(Series, {
        where: { id: In(ids), nextStart: LessThanOrEqual(horizon) },
        order: { id: 'ASC' },
        lock: { mode: 'pessimistic_write' },
      });
      const created = await this.occurrences.create(tx, due.map((series) => ({
        seriesId: series.id,
        organizerId: series.organizerId,
        template: series.template,
        occurrences: series.generate(horizon, OCCURRENCES),
      })));
      await tx.rows(STORE_GENERATED, [
        due.map((series) => series.id),
        due.map((series) => series.generated),
        due.map((series) => series.nextStart),
      ]);
      return created;
    });
  }
}
