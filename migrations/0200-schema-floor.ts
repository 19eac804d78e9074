import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The oldest version that can work on this database: the migration that it has to know. A migration that takes away or changes what
 * servers of the version before still use says so here, in its own transaction, by its own name; all others only add, and servers of
 * both versions work beside each other meanwhile (docs/operating/upgrade.md).
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
