import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The oldest version that can use this database, as the name of the migration that this version has to know. A
 * migration that removes or changes something that servers of the previous version use writes its own name here, in its
 * transaction. All other migrations only add to the schema, so servers of both versions can run at the same time
 * (docs/operating/upgrade.md).
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
