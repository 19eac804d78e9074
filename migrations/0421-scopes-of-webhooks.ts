import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds the columns `scopes` and `grant_id` to `webhooks`. A webhook sends only changes that a token with its scopes may
 * read. `grant_id` is the id of the grant (the account's permission for an app) with which an app created the webhook;
 * the webhook is deleted with this grant. `grant_id` is null if no app created the webhook. Servers of the previous
 * version do not set these columns, so webhooks that they create get `{read}` and no grant.
 */
export class ScopesOfWebhooks0421 implements MigrationInterface {
  readonly name = 'ScopesOfWebhooks0000000000421';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      "ALTER TABLE webhooks ADD COLUMN scopes text[] NOT NULL DEFAULT '{read}', ADD COLUMN grant_id bigint",
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DELETE FROM webhooks WHERE scopes <> '{read}' OR grant_id IS NOT NULL");
    await runner.query('ALTER TABLE webhooks DROP COLUMN scopes, DROP COLUMN grant_id');
  }
}
