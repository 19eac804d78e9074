import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Column `audit_entries.operator`: for an action by a command, the user of the operating system who ran the command, or
 * the value of `--as NAME`. Null for all other actions, and for older entries, whose hashes must not change.
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
