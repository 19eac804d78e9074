import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Data of the installation: the fingerprint of its secret, so that no process works with another secret, and the salts
 * of its public ids, which stay when the secret changes. The first start writes both (platform/installation).
 */
export class Installation0070 implements MigrationInterface {
  readonly name = 'Installation0000000000070';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE installation (
        only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one),
        secret_fingerprint text NOT NULL CHECK (secret_fingerprint ~ '^[0-9a-f]{64}$'),
        -- The previous secret, sealed with the present one. It opens values that a server sealed with the previous
        -- secret before its restart.
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
