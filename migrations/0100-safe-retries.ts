import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Responses to changes that were sent with an `Idempotency-Key`, and the claims of requests in progress
 * (docs/rules/retries.md).
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
        -- Encrypted with the key in kept_answer_keys: the answer, and what it was the answer to.
        answer text NOT NULL,
        PRIMARY KEY (account_id, key_hash)
      );
      CREATE INDEX kept_answers_kept ON kept_answers (kept_at);
      -- Encrypted already: compressing it again would be for nothing.
      ALTER TABLE kept_answers ALTER COLUMN answer SET STORAGE EXTERNAL;

      -- One key for all answers, sealed as other secrets are: when APP_SECRET changes this row is sealed anew, not every answer.
      CREATE TABLE kept_answer_keys (
        only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one),
        key_sealed text NOT NULL
      );

      -- Nothing of it is needed after a crash of the database: whatever was at work then has ended without a commit. So it costs no
      -- write-ahead log, and no waiting for the disk.
      CREATE UNLOGGED TABLE request_claims (
        account_id bigint NOT NULL,
        key_hash text NOT NULL,
        holder text NOT NULL,
        -- By the database's clock, which is one for all servers.
        until timestamptz NOT NULL,
        PRIMARY KEY (account_id, key_hash)
      );

      -- The kept answer; else the claim, unless somebody else holds it. Statements of a volatile function each see what has been
      -- committed before them, and that is what the second look is for: whoever held the claim may have committed since the first.
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
