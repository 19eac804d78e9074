import { Inject, Injectable, type Type } from '@nestjs/common';
import { Database, type Statement, type Transaction } from '../database/database';
import { inBatches } from './batches';
import type { Every, Job, JobContext, JobResult } from './job';

interface SweepStep<Needs> {
  /**
   * The name of the count in the job's result. Counts with the same name are added up. Without a name, the count is not
   * in the result.
   */
  readonly counts?: string;
  /** The maximum number of rows of one transaction in this step; by default, the `size` of the job. */
  readonly size?: number;
  /** Deletes or changes at most `size` rows, and returns a list with one item for each of these rows. */
  readonly batch: (tx: Transaction, at: SweepMoment, needs: Needs) => Promise<readonly unknown[]>;
}

interface SweepMoment {
  readonly now: Date;
  readonly size: number;
}

interface Sweep<Needs> {
  readonly name: string;
  readonly every: Every;
  /** Maximum number of rows that one transaction deletes or changes. */
  readonly size: number;
  /** The provider that each batch gets as `needs`. */
  readonly needs?: Type<Needs>;
  readonly steps: readonly SweepStep<Needs>[];
}

/**
 * Creates an injectable job that deletes or changes rows in steps. The steps run one after another. The batch of a step
 * is repeated until it returns fewer rows than the size of the step. Each repetition is a separate transaction.
 */
export function sweepJob<Needs = undefined>({ name, every, size, needs, steps }: Sweep<Needs>): Type<Job> {
  @Injectable()
  class SweepJob implements Job {
    readonly name = name;
    readonly every = every;

    constructor(
      private readonly database: Database,
      @Inject(needs ?? Database) private readonly needed: Needs,
    ) {}

    async run({ now, signal }: JobContext): Promise<JobResult> {
      const result: Record<string, number> = {};
      for (const { counts, batch, size: stepSize = size } of steps) {
        const changed = await inBatches(
          stepSize,
          signal,
          async () => (await this.database.transaction((tx) => batch(tx, { now, size: stepSize }, this.needed))).length,
        );
        if (counts !== undefined) result[counts] = (result[counts] ?? 0) + changed;
      }
      return result;
    }
  }
  return SweepJob;
}

/**
 * The batch of a step that runs one statement. The statement's parameters are the time before which rows are old
 * (`seconds` before now), and the size of a batch.
 */
export function olderThan(seconds: number, sql: Statement): SweepStep<unknown>['batch'] {
  return (tx, { now, size }) => tx.rows(sql, [new Date(now.getTime() - seconds * 1000), size]);
}
