import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Column `tokens.scopes`. A token with narrow scopes has the value `read` in `tokens.access`. Servers of the previous
 * version refuse such a token, because they do not know its kind of checksum.
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
