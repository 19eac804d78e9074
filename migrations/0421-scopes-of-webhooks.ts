import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the messages of a webhook may carry, and the grant that it ends with. A server of the former version creates webhooks that carry everything. */
export class ScopesOfWebhooks0421 implements MigrationInterface {
  readonly name = 'ScopesOfWebhooks0000000000421';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      "ALTER TABLE webhooks ADD COLUMN scopes text[] NOT NULL DEFAULT '{read}', ADD COLUMN grant_id bigint",
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DELETE FROM webhooks WHERE scopes <> '{read}'");
    await runner.query('ALTER TABLE webhooks DROP COLUMN scopes, DROP COLUMN grant_id');
  }
}
