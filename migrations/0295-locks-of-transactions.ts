import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * An idempotency key is a lock of the change's own transaction (docs/adr/0295-keys-in-the-transaction.md), taken in the
 * message that begins the transaction. A request that does not get the lock must not execute the rest of this message,
 * and PostgreSQL skips the rest only after an error. No other function uses the code of this error.
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
