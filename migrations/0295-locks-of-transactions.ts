import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Function lock_transaction(), for the lock of an idempotency key (docs/adr/0295-keys-in-the-transaction.md). If
 * another transaction has the lock, the function raises an error. PostgreSQL then skips the statements that follow in
 * the same network message. No other function may use the code of this error.
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
