import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Tables content_removals, reports and moderation_decisions, and column `users.banned_until`
 * (docs/rules/moderation.md).
 */
export class Moderation0186 implements MigrationInterface {
  readonly name = 'Moderation0000000000186';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- The row of the removed content also stores the time (removed_at, migration 0185).
      CREATE TABLE content_removals (
        kind text NOT NULL CHECK (kind IN ('event', 'series', 'group', 'post', 'comment', 'photo', 'puls')),
        subject_id bigint NOT NULL,
        reason text NOT NULL CHECK (reason <> ''),
        removed_at timestamptz NOT NULL,
        -- Null: removed on the command line, or the moderator's account was deleted.
        removed_by bigint REFERENCES users (id) ON DELETE SET NULL,
        PRIMARY KEY (kind, subject_id)
      );

      CREATE TABLE reports (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        -- Null: the reporter has no account, or the account was deleted.
        reporter_id bigint REFERENCES users (id) ON DELETE SET NULL,
        -- The e-mail address of a reporter without an account.
        reporter_email text,
        subject_type text NOT NULL CHECK (subject_type IN ('event', 'series', 'group', 'post', 'comment', 'photo', 'puls', 'user')),
        subject_id bigint NOT NULL,
        -- The id or slug that the reporter sent.
        subject_sent text NOT NULL,
        author_id bigint REFERENCES users (id) ON DELETE SET NULL,
        -- A copy of the object from the time of the report.
        snapshot jsonb NOT NULL,
        reason text NOT NULL,
        note text,
        outcome text CHECK (outcome IN ('dismissed', 'removed', 'warned', 'banned')),
        decided_at timestamptz,
        created_at timestamptz NOT NULL,
        CHECK ((outcome IS NULL) = (decided_at IS NULL))
      );
      CREATE UNIQUE INDEX reports_one_open ON reports (reporter_id, subject_type, subject_id) WHERE outcome IS NULL AND reporter_id IS NOT NULL;
      CREATE INDEX reports_reporter ON reports (reporter_id, id) WHERE reporter_id IS NOT NULL;
      CREATE INDEX reports_open ON reports (subject_type, subject_id, id) WHERE outcome IS NULL;
      CREATE INDEX reports_author ON reports (author_id) WHERE author_id IS NOT NULL;

      CREATE TABLE moderation_decisions (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        subject_type text NOT NULL,
        subject_id bigint NOT NULL,
        author_id bigint REFERENCES users (id) ON DELETE SET NULL,
        action text NOT NULL CHECK (action IN ('dismiss', 'remove', 'warn', 'ban')),
        -- The number of days of a ban; null for a permanent ban, and for every other action.
        days integer CHECK (days > 0),
        reason text NOT NULL CHECK (reason <> ''),
        decided_by bigint REFERENCES users (id) ON DELETE SET NULL,
        decided_at timestamptz NOT NULL,
        -- SHA-256 (hex) of the secret in the link for an objection.
        objection_hash text UNIQUE,
        objection text,
        objected_at timestamptz,
        objection_granted boolean,
        objection_answer text,
        objection_decided_at timestamptz,
        CHECK ((objection IS NULL) = (objected_at IS NULL)),
        CHECK ((objection_granted IS NULL) = (objection_decided_at IS NULL)),
        CHECK (objection_granted IS NULL OR objection IS NOT NULL)
      );
      CREATE INDEX moderation_decisions_author ON moderation_decisions (author_id, id);
      CREATE INDEX moderation_decisions_objected ON moderation_decisions (id) WHERE objection IS NOT NULL AND objection_granted IS NULL;

      ALTER TABLE users
        -- The end of a temporary ban; null for a permanent ban, and for an account that is not banned.
        ADD COLUMN banned_until timestamptz;
      CREATE INDEX users_banned_until ON users (banned_until) WHERE banned_until IS NOT NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE users DROP COLUMN banned_until;
      DROP TABLE moderation_decisions, reports, content_removals;
    `);
  }
}
