import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds the columns `users.gone` and `all_comments.emptied`, and the tables account_erasures and data_exports
 * (docs/rules/own-data.md).
 */
export class OwnData0270 implements MigrationInterface {
  readonly name = 'OwnData0000000000270';
  readonly locks = [
    'all_comments',
    'comments',
    'door_marks',
    'events',
    'gallery_photos',
    'groups',
    'participations',
    'posts',
    'puls_posts',
    'series',
    'users',
  ];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE users
        -- Whether the row is the pseudonym of an erased person.
        ADD COLUMN gone boolean NOT NULL DEFAULT false;

      ALTER TABLE all_comments
        -- Whether the author was erased. The comment then has neither text nor picture.
        ADD COLUMN emptied boolean NOT NULL DEFAULT false,
        DROP CONSTRAINT comments_check1,
        -- NOT VALID, because existing rows need no check: the dropped constraint was stricter.
        ADD CONSTRAINT comments_says_something CHECK (emptied OR body IS NOT NULL OR image_key IS NOT NULL) NOT VALID;
      SELECT show_what_is_in_sight();

      -- ON UPDATE CASCADE, because an erasure changes user_id of the participation.
      ALTER TABLE door_marks
        DROP CONSTRAINT door_marks_event_id_user_id_fkey,
        ADD CONSTRAINT door_marks_event_id_user_id_fkey FOREIGN KEY (event_id, user_id)
          REFERENCES participations (event_id, user_id) ON UPDATE CASCADE ON DELETE CASCADE NOT VALID;

      CREATE TABLE account_erasures (
        user_id bigint PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
        asked_at timestamptz NOT NULL,
        due_at timestamptz NOT NULL
      );
      CREATE INDEX account_erasures_due ON account_erasures (due_at);

      CREATE TABLE data_exports (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        -- Null if the account no longer exists. A job then deletes the file and, after it, the row.
        user_id bigint UNIQUE REFERENCES users (id) ON DELETE SET NULL,
        status text NOT NULL CHECK (status IN ('pending', 'ready', 'failed')),
        -- The name of the file in the storage. The name is chosen before the file exists.
        file text NOT NULL UNIQUE,
        done integer NOT NULL DEFAULT 0,
        total integer NOT NULL DEFAULT 0,
        bytes bigint,
        asked_at timestamptz NOT NULL,
        expires_at timestamptz,
        CHECK ((status = 'ready') = (bytes IS NOT NULL)),
        CHECK ((status = 'pending') = (expires_at IS NULL))
      );
      CREATE INDEX data_exports_pending ON data_exports (id) WHERE status = 'pending';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE data_exports, account_erasures;
      ALTER TABLE door_marks
        DROP CONSTRAINT door_marks_event_id_user_id_fkey,
        ADD CONSTRAINT door_marks_event_id_user_id_fkey FOREIGN KEY (event_id, user_id)
          REFERENCES participations (event_id, user_id) ON DELETE CASCADE;
      -- The call of show_what_is_in_sight() below creates the view comments again.
      DROP VIEW comments;
      ALTER TABLE all_comments DROP CONSTRAINT comments_says_something;
      UPDATE all_comments SET body = '' WHERE emptied;
      ALTER TABLE all_comments DROP COLUMN emptied, ADD CONSTRAINT comments_check1 CHECK (body IS NOT NULL OR image_key IS NOT NULL);
      SELECT show_what_is_in_sight();
      ALTER TABLE users DROP COLUMN gone;
    `);
  }
}
