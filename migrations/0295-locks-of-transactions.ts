import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A key is a lock of the change's own transaction (docs/adr/0295), asked for in the message that begins it. Who does not get it must
 * not do what else is asked there, and PostgreSQL leaves that out after an error alone. Its code is nobody else's.
 */
export class LocksOfTransactions0295 implements MigrationInterface {
  readonly name = 'LocksOfTransactions0000000000295';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION lock_transaction(number bigint) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
      BEGIN
        IF NOT pg_try_advisory_xact_lock(number) THEN
          RAISE EXCEPTION 'another transaction has the lock %', number USING ERRCODE = 'EV001';
        END IF;
      END $$
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION lock_transaction(bigint)');
  }
}
