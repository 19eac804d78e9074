import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The table `maintenance` has one row while maintenance mode is on, and no row otherwise. */
export class Maintenance0520 implements MigrationInterface {
  readonly name = 'Maintenance0000000000520';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE maintenance (
        only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one),
        message text NOT NULL,
        since timestamptz NOT NULL
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE maintenance');
  }
}
