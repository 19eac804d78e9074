import { Injectable } from '@nestjs/common';
import { Database, statement } from '#platform/database/database';
import type { JobResult } from './job';

/** A row of `job_runs`. Without `finishedAt` and `error`, the run is in progress or was interrupted. */
export interface JobRun {
  readonly job: string;
  readonly slot: Date;
  readonly attempts: number;
  readonly startedAt: Date;
  readonly finishedAt: Date | null;
  readonly result: JobResult | null;
  /** The error of the last attempt. */
  readonly error: string | null;
}

/** A job and the time of one scheduled run. */
export interface Slot {
  readonly job: string;
  readonly slot: Date;
}

/**
 * Rows are deleted after this many days. The old rows of a job are deleted when a newer run of the job finishes, so the
 * latest row of the job always remains. Rows whose slot is after `latestSlot` are deleted at the same time.
 */
const KEPT_DAYS = 14;

/**
 * The latest slot that is valid at the time `now` (an SQL parameter). It is one minute after `now`, because the clocks
 * of servers differ slightly. A later slot comes from a server whose clock was wrong.
 */
const latestSlot = (now: string): string => `${now}::timestamptz + interval '1 minute'`;

/**
 * A slot is done when the run of this slot or of a later slot has finished, because each run processes all outstanding
 * work. A run after `latestSlot` does not count: otherwise the job would not run until that time. The slot of a run by
 * hand is the starting time of the run. $3: now.
 */
const SLOT_IS_DONE = `SELECT FROM job_runs done WHERE done.job = due.job AND done.slot >= due.slot AND done.slot <= ${latestSlot('$3')} AND done.finished_at IS NOT NULL`;

/**
 * A failed attempt is repeated 1, 2, 4 … 64 minutes after its start. After an interruption the next attempt does not
 * wait.
 */
const WAITS_AFTER_FAILURE = `run.error IS NOT NULL
  AND run.started_at + make_interval(mins => 1 << least(run.attempts - 1, 6)) > $3::timestamptz`;

const DUE_SLOTS = statement(
  'job_runs_due',
  `
  SELECT due.job, due.slot FROM unnest($1::text[], $2::timestamptz[]) WITH ORDINALITY AS due (job, slot, ordinal)
  WHERE NOT EXISTS (${SLOT_IS_DONE})
    AND NOT EXISTS (SELECT FROM job_runs run WHERE run.job = due.job AND run.slot = due.slot AND ${WAITS_AFTER_FAILURE})
  ORDER BY due.ordinal`,
);

const BEGIN_RUN = statement(
  'job_runs_begin',
  `
  INSERT INTO job_runs AS run (job, slot, started_at)
  SELECT due.job, due.slot, $3::timestamptz FROM (SELECT $1::text AS job, $2::timestamptz AS slot) AS due
  WHERE NOT EXISTS (${SLOT_IS_DONE})
  ON CONFLICT (job, slot) DO UPDATE SET attempts = run.attempts + 1, started_at = excluded.started_at, error = NULL
  WHERE NOT (${WAITS_AFTER_FAILURE})
  RETURNING run.attempts`,
);

const BEGIN_RUN_BY_HAND = statement(
  'job_runs_begin_by_hand',
  `
  INSERT INTO job_runs AS before (job, slot, started_at) VALUES ($1, $2, $2)
  ON CONFLICT (job, slot) DO UPDATE
  SET attempts = before.attempts + 1, started_at = excluded.started_at, finished_at = NULL, result = NULL, error = NULL`,
);

const FINISH_RUN = statement(
  'job_runs_finish',
  `
  UPDATE job_runs SET finished_at = $3, result = $4::jsonb, error = NULL WHERE job = $1 AND slot = $2`,
);

const FAIL_RUN = statement(
  'job_runs_fail',
  'UPDATE job_runs SET error = $3 WHERE job = $1 AND slot = $2 AND finished_at IS NULL',
);

const DELETE_OLD_RUNS = statement(
  'job_runs_delete_old',
  `
  DELETE FROM job_runs WHERE job = $1
    AND (slot < $2::timestamptz - make_interval(days => ${KEPT_DAYS}) OR slot > ${latestSlot('$2')})`,
);

const LAST_RUNS = statement(
  'job_runs_last',
  `
  SELECT last.job, last.slot, last.attempts, last.started_at AS "startedAt", last.finished_at AS "finishedAt", last.result, last.error
  FROM unnest($1::text[]) WITH ORDINALITY AS requested (job, ordinal)
  CROSS JOIN LATERAL (SELECT * FROM job_runs WHERE job_runs.job = requested.job AND slot <= ${latestSlot('$2')} ORDER BY slot DESC LIMIT 1) AS last
  ORDER BY requested.ordinal`,
);

/** The table `job_runs`. Only a run that holds the job's lock writes rows of the job. */
@Injectable()
export class JobRuns {
  constructor(private readonly database: Database) {}

  /** Returns the slots that are not done and that need not wait after a failure, in the order of `slots`. */
  async due(slots: readonly Slot[], now: Date): Promise<Slot[]> {
    return this.database.rows<Slot>(DUE_SLOTS, [slots.map(({ job }) => job), slots.map(({ slot }) => slot), now]);
  }

  /**
   * Claims the slot, even if its last attempt was interrupted. Returns false if the slot is done or must wait after a
   * failure.
   */
  async begin({ job, slot }: Slot, now: Date): Promise<boolean> {
    return (await this.database.outsideTransaction.rows(BEGIN_RUN, [job, slot, now])).length > 0;
  }

  async beginByHand({ job, slot }: Slot): Promise<void> {
    await this.database.outsideTransaction.rows(BEGIN_RUN_BY_HAND, [job, slot]);
  }

  async finish({ job, slot }: Slot, now: Date, result: JobResult): Promise<void> {
    await this.database.outsideTransaction.rows(FINISH_RUN, [job, slot, now, JSON.stringify(result)]);
    await this.database.outsideTransaction.rows(DELETE_OLD_RUNS, [job, now]);
  }

  async fail({ job, slot }: Slot, error: string): Promise<void> {
    await this.database.outsideTransaction.rows(FAIL_RUN, [job, slot, error]);
  }

  /**
   * The last run of each of these jobs, in the order of `jobs`. Runs after `latestSlot` are ignored, and jobs without a
   * run are not in the result.
   */
  async last(jobs: readonly string[], now: Date): Promise<JobRun[]> {
    return this.database.rows<JobRun>(LAST_RUNS, [jobs, now]);
  }
}
