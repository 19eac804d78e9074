import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Table schema_floor with the name of a migration. Only versions of the service that know this migration can use the
 * database. If servers of the previous version cannot work after a migration, that migration must write its own name
 * into this table, in its own transaction (docs/operating/upgrade.md).
 */
export class SchemaFloor0200 implements MigrationInterface {
  readonly name = 'SchemaFloor0000000000200';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE schema_floor (only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one), migration text NOT NULL);
      INSERT INTO schema_floor (migration) VALUES ('0200-schema-floor');
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE schema_floor');
  }
}
