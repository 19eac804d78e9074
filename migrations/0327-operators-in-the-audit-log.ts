import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The operator who ran a command: a user of the operating system, or `--as NAME`. Entries made before have none, and their hashes stay as they are. */
export class OperatorsInTheAuditLog0327 implements MigrationInterface {
  readonly name = 'OperatorsInTheAuditLog0000000000327';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE audit_entries ADD COLUMN operator text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE audit_entries DROP COLUMN operator');
  }
}
