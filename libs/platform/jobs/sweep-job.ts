import { Inject, Injectable, type Type } from '@nestjs/common';
import { Database, type Statement, type Transaction } from '../database/database';
import { inBatches } from './batches';
import type { Every, Job, JobContext, JobResult } from './job';

interface SweepStep<Needs> {
  /**
   * The result's figure that counts the rows; steps of one name are added up. Without a name the rows are not reported.
   */
  readonly counts?: string;
  /** Deletes or changes `size` rows at most. */
  readonly batch: (tx: Transaction, at: SweepMoment, needs: Needs) => Promise<readonly unknown[]>;
}

interface SweepMoment {
  readonly now: Date;
  readonly size: number;
}

interface Sweep<Needs> {
  readonly name: string;
  readonly every: Every;
  /** Rows that one transaction deletes or changes at most. */
  readonly size: number;
  readonly needs?: Type<Needs>;
  readonly steps: readonly SweepStep<Needs>[];
}

/**
 * Makes an injectable job of steps that run one after the other. A step is repeated until it finds fewer rows than
 * `size`, each time in a transaction of its own.
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
      for (const { counts, batch } of steps) {
        const changed = await inBatches(
          size,
          signal,
          async () => (await this.database.transaction((tx) => batch(tx, { now, size }, this.needed))).length,
        );
        if (counts !== undefined) result[counts] = (result[counts] ?? 0) + changed;
      }
      return result;
    }
  }
  return SweepJob;
}

/** A step whose statement takes the moment up to which rows are old, `seconds` before now, and the size of a batch. */
export function olderThan(seconds: number, sql: Statement): SweepStep<unknown>['batch'] {
  return (tx, { now, size }) => tx.rows(sql, [new Date(now.getTime() - seconds * 1000), size]);
}
