import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The function takes the claim first and looks for a stored response once, instead of twice (before and after the
 * claim). A request with the claim sees everything that earlier holders of the claim have committed; a request without
 * the claim looks once afterwards. For a new key, which is nearly every key, this saves one lookup.
 */
export class ClaimThenLook0231 implements MigrationInterface {
  readonly name = 'ClaimThenLook0000000000231';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE OR REPLACE FUNCTION claim_request(account bigint, key text, claimant text, seconds integer, OUT answer text, OUT claimed boolean)
      LANGUAGE plpgsql VOLATILE AS $$
      BEGIN
        INSERT INTO request_claims AS held (account_id, key_hash, holder, until)
          VALUES (account, key, claimant, clock_timestamp() + make_interval(secs => seconds))
          ON CONFLICT (account_id, key_hash) DO UPDATE SET holder = excluded.holder, until = excluded.until WHERE held.until < clock_timestamp();
        claimed := FOUND;
        -- In a volatile function each statement sees everything that was committed before the statement.
        SELECT kept.answer INTO answer FROM kept_answers kept WHERE kept.account_id = account AND kept.key_hash = key;
        IF FOUND AND claimed THEN
          DELETE FROM request_claims held WHERE held.account_id = account AND held.key_hash = key AND held.holder = claimant;
          claimed := false;
        END IF;
      END $$;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE OR REPLACE FUNCTION claim_request(account bigint, key text, claimant text, seconds integer, OUT answer text, OUT claimed boolean)
      LANGUAGE plpgsql VOLATILE AS $$
      BEGIN
        claimed := false;
        SELECT kept.answer INTO answer FROM kept_answers kept WHERE kept.account_id = account AND kept.key_hash = key;
        IF FOUND THEN RETURN; END IF;
        INSERT INTO request_claims AS held (account_id, key_hash, holder, until)
          VALUES (account, key, claimant, clock_timestamp() + make_interval(secs => seconds))
          ON CONFLICT (account_id, key_hash) DO UPDATE SET holder = excluded.holder, until = excluded.until WHERE held.until < clock_timestamp();
        IF NOT FOUND THEN RETURN; END IF;
        SELECT kept.answer INTO answer FROM kept_answers kept WHERE kept.account_id = account AND kept.key_hash = key;
        IF FOUND THEN
          DELETE FROM request_claims held WHERE held.account_id = account AND held.key_hash = key AND held.holder = claimant;
        ELSE
          claimed := true;
        END IF;
      END $$;
    `);
  }
}
