import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['webhooks', 'door_links'] as const;

/**
 * Foreign keys of webhooks and door_links to app_grants: a webhook or door link that an app created is deleted with the
 * grant of the app. The foreign keys are NOT VALID and the index on webhooks is created CONCURRENTLY, so that writes
 * are blocked only for a moment. Migration 0432 validates the foreign keys.
 */
export class EndsWithItsGrant0431 implements MigrationInterface {
  readonly name = 'EndsWithItsGrant0000000000431';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS webhooks_grant');
    await runner.query('CREATE INDEX CONCURRENTLY webhooks_grant ON webhooks (grant_id) WHERE grant_id IS NOT NULL');
    for (const table of TABLES) {
      await runner.query(`ALTER TABLE ${table} DROP CONSTRAINT IF EXISTS ${table}_of_grant`);
      await runner.query(
        `ALTER TABLE ${table} ADD CONSTRAINT ${table}_of_grant FOREIGN KEY (grant_id) REFERENCES app_grants (id) ON DELETE CASCADE NOT VALID`,
      );
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) await runner.query(`ALTER TABLE ${table} DROP CONSTRAINT IF EXISTS ${table}_of_grant`);
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS webhooks_grant');
  }
}
