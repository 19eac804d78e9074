import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Tables unnumbered_changes and change_feed (docs/adr/0380-numbered-feed.md). Triggers write to unnumbered_changes, and
 * the function number_changes() moves committed rows to `changes`. The column `changes.xid` remains for old cursors.
 */
export class NumberedFeed0380 implements MigrationInterface {
  readonly name = 'NumberedFeed0000000000380';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE unnumbered_changes (
        -- The order of writing.
        written bigint GENERATED ALWAYS AS IDENTITY,
        xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
        at timestamptz NOT NULL DEFAULT clock_timestamp(),
        topic_kind text NOT NULL,
        topic_id bigint NOT NULL,
        type text NOT NULL,
        subject_id bigint NOT NULL,
        subject_text text,
        parent_id bigint,
        person_id bigint,
        counted boolean NOT NULL,
        by_id bigint
      );
      CREATE INDEX unnumbered_changes_xid ON unnumbered_changes (xid, topic_kind, topic_id);

      -- One row. seen: the snapshot of the run of number_changes() that assigned last_number. If seen is null, the next
      -- run reads all rows of unnumbered_changes.
      CREATE TABLE change_feed (
        is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
        last_number bigint NOT NULL,
        seen pg_snapshot
      );
      INSERT INTO change_feed (last_number) SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM change_numbers;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE change_feed, unnumbered_changes');
  }
}
