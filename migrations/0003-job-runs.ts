import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Table job_runs: one row for each job and each time (`slot`) at which the job was due and was started. A repeated
 * attempt for the same slot updates the row.
 */
export class JobRuns0003 implements MigrationInterface {
  readonly name = 'JobRuns0000000000003';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE job_runs (
        job text NOT NULL,
        slot timestamptz NOT NULL,
        attempts integer NOT NULL DEFAULT 1,
        started_at timestamptz NOT NULL,
        finished_at timestamptz,
        result jsonb,
        error text,
        PRIMARY KEY (job, slot),
        CHECK ((finished_at IS NULL) = (result IS NULL)),
        CHECK (error IS NULL OR finished_at IS NULL)
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE job_runs');
  }
}
