import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The function claim_request() now inserts the claim before it looks up the stored response. So one lookup is enough;
 * before, two were needed. If there is a stored response, the function deletes the claim again.
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
