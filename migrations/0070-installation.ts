import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Tables installation (fingerprint of APP_SECRET) and public_id_salts (salts of public ids). The first start writes
 * both tables (platform/installation).
 */
export class Installation0070 implements MigrationInterface {
  readonly name = 'Installation0000000000070';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE installation (
        only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one),
        secret_fingerprint text NOT NULL CHECK (secret_fingerprint ~ '^[0-9a-f]{64}$'),
        -- The previous secret, encrypted with the current secret. A server that was started before the change of the
        -- secret encrypts with the previous secret until its restart, and only the previous secret decrypts these
        -- values.
        former_secret_sealed text
      );
      CREATE TABLE public_id_salts (
        kind text PRIMARY KEY,
        salt text NOT NULL CHECK (salt ~ '^[0-9a-f]{64}$')
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE public_id_salts; DROP TABLE installation');
  }
}
