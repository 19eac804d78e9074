import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Table event_imports: one row for each account that imports events, with the times of the account's recent imports.
 */
export class EventImports0490 implements MigrationInterface {
  readonly name = 'EventImports0000000000490';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE event_imports (
        user_id bigint PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
        imported_at timestamptz[] NOT NULL
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE event_imports');
  }
}
