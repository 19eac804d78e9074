import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Creates the tables kept_answers, kept_answer_keys and request_claims, and the function claim_request, for requests
 * with an `Idempotency-Key` (docs/rules/retries.md).
 */
export class SafeRetries0100 implements MigrationInterface {
  readonly name = 'SafeRetries0000000000100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE kept_answers (
        account_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        -- SHA-256 of the key, base64url.
        key_hash text NOT NULL,
        kept_at timestamptz NOT NULL,
        -- The fingerprint of the request, and its response, encrypted with the key in kept_answer_keys.
        answer text NOT NULL,
        PRIMARY KEY (account_id, key_hash)
      );
      CREATE INDEX kept_answers_kept ON kept_answers (kept_at);
      -- The value is encrypted, so compression has no effect.
      ALTER TABLE kept_answers ALTER COLUMN answer SET STORAGE EXTERNAL;

      -- One key for all responses, encrypted with APP_SECRET. When APP_SECRET changes, only this row is encrypted
      -- again.
      CREATE TABLE kept_answer_keys (
        only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one),
        key_sealed text NOT NULL
      );

      -- UNLOGGED, because the rows are not needed after a crash of the database.
      CREATE UNLOGGED TABLE request_claims (
        account_id bigint NOT NULL,
        key_hash text NOT NULL,
        holder text NOT NULL,
        -- The end of the claim, by the clock of the database, which is the same for all servers.
        until timestamptz NOT NULL,
        PRIMARY KEY (account_id, key_hash)
      );

      CREATE FUNCTION claim_request(account bigint, key text, claimant text, seconds integer, OUT answer text, OUT claimed boolean)
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

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP FUNCTION claim_request(bigint, text, text, integer);
      DROP TABLE request_claims;
      DROP TABLE kept_answer_keys;
      DROP TABLE kept_answers;
    `);
  }
}
