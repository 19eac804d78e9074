import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Table daily_counters: how much of each daily limit a user has used on each day. Days are days in Prague. */
export class Quotas0005 implements MigrationInterface {
  readonly name = 'Quotas0000000000005';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE daily_counters (
        user_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        kind text NOT NULL,
        day date NOT NULL,
        taken integer NOT NULL CHECK (taken > 0),
        PRIMARY KEY (user_id, kind, day)
      );
      CREATE INDEX daily_counters_day ON daily_counters (day);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE daily_counters');
  }
}
