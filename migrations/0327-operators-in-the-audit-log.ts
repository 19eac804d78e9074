import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The operator who ran a command: the user of the operating system, or the value of `--as NAME`. Older entries have
 * none, and their hashes do not change.
 */
export class OperatorsInTheAuditLog0327 implements MigrationInterface {
  readonly name = 'OperatorsInTheAuditLog0000000000327';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE audit_entries ADD COLUMN operator text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE audit_entries DROP COLUMN operator');
  }
}
