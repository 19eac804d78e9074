import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Tables audit_entries and audit_head: the actions of operators and moderators (docs/rules/moderation.md). Triggers
 * refuse changes and deletions of entries. A chain of keyed hashes shows changes and deletions that bypass the
 * triggers.
 */
export class Audit0187 implements MigrationInterface {
  readonly name = 'Audit0000000000187';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE audit_entries (
        -- Numbers without a gap, from 1.
        number bigint PRIMARY KEY CHECK (number > 0),
        at timestamptz NOT NULL,
        -- Null: the command line or a job. No foreign key: the entry remains when the account is deleted.
        actor_id bigint,
        action text NOT NULL,
        subject text,
        reason text,
        details jsonb NOT NULL,
        -- HMAC-SHA-256 (hex) of all columns above and of the hash of the previous entry.
        hash text NOT NULL CHECK (hash ~ '^[0-9a-f]{64}$')
      );

      CREATE FUNCTION audit_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION 'audit_entries is append-only' USING ERRCODE = 'insufficient_privilege';
      END $$;
      CREATE TRIGGER audit_entries_stay BEFORE UPDATE OR DELETE ON audit_entries FOR EACH ROW EXECUTE FUNCTION audit_is_append_only();
      CREATE TRIGGER audit_entries_stay_all BEFORE TRUNCATE ON audit_entries FOR EACH STATEMENT EXECUTE FUNCTION audit_is_append_only();
      -- ALWAYS: the triggers also fire in sessions with session_replication_role = replica.
      ALTER TABLE audit_entries ENABLE ALWAYS TRIGGER audit_entries_stay;
      ALTER TABLE audit_entries ENABLE ALWAYS TRIGGER audit_entries_stay_all;
      REVOKE UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER ON audit_entries FROM PUBLIC;
      DO $$ BEGIN EXECUTE format('REVOKE UPDATE, DELETE, TRUNCATE ON audit_entries FROM %I', current_user); END $$;

      -- The number of entries and the hash of the last entry. They show whether the last entries were deleted. Each
      -- transaction that adds an entry locks this row.
      CREATE TABLE audit_head (
        only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one),
        entries bigint NOT NULL,
        last_hash text NOT NULL,
        hash text NOT NULL,
        key_sealed text NOT NULL
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE audit_head, audit_entries;
      DROP FUNCTION audit_is_append_only();
    `);
  }
}
