import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The scopes that limit a webhook's messages, and the grant with which the webhook ends. A server of the former version
 * creates webhooks without such limits.
 */
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
