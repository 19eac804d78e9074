import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Validates the foreign keys of migration 0431 for existing rows. */
export class GrantsOfBefore0432 implements MigrationInterface {
  readonly name = 'GrantsOfBefore0000000000432';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE webhooks VALIDATE CONSTRAINT webhooks_of_grant');
    await runner.query('ALTER TABLE door_links VALIDATE CONSTRAINT door_links_of_grant');
  }

  async down(): Promise<void> {}
}
