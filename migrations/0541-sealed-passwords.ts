import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Index of the events with a password. Without the index, `doctor`, `secret rotate` and the first start after an
 * upgrade from an old version read all events. With ten million events, this takes longer than the statement timeout.
 * This migration runs outside a transaction, because the index is created CONCURRENTLY. Each step can be repeated.
 */
export class SealedPasswords0541 implements MigrationInterface {
  readonly name = 'SealedPasswords0000000000541';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await this.down(runner);
    await runner.query(
      'CREATE INDEX CONCURRENTLY events_sealed ON all_events (id) WHERE join_password_sealed IS NOT NULL',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS events_sealed');
  }
}
