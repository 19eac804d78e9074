import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Scopes of tokens. The access of a token with narrow scopes is `read` in the table; a server of the former version
 * cannot verify the checksum of such tokens and refuses them.
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
