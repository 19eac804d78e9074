import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Column `tokens.scopes`. A token with narrow scopes has the value `read` in `tokens.access`. The secret of such a
 * token ends with a checksum of another kind. Servers of the previous version do not know this kind, so they refuse the
 * token.
 */
export class TokenScopes0420 implements MigrationInterface {
  readonly name = 'TokenScopes0000000000420';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE tokens ADD COLUMN scopes text[]');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DELETE FROM tokens WHERE scopes IS NOT NULL');
    await runner.query('ALTER TABLE tokens DROP COLUMN scopes');
  }
}
