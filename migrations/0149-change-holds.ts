import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Table change_holds: the open streams and waiting requests of the feed of changes. For each account, the service
 * limits the number of streams and the number of waiting requests.
 */
export class ChangeHolds0149 implements MigrationInterface {
  readonly name = 'ChangeHolds0000000000149';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- UNLOGGED, because the rows are not needed after a crash of the database.
      CREATE UNLOGGED TABLE change_holds (
        id uuid PRIMARY KEY,
        account_id bigint NOT NULL,
        kind text NOT NULL CHECK (kind IN ('stream', 'wait')),
        -- When the row expires, by the clock of the database, which is the same for all servers. The server that has
        -- the open stream or request extends this time.
        until timestamptz NOT NULL
      );
      CREATE INDEX change_holds_account ON change_holds (account_id, kind);

      CREATE FUNCTION take_change_hold(hold uuid, account bigint, held_kind text, most integer, seconds integer) RETURNS integer
      LANGUAGE plpgsql VOLATILE AS $$
      BEGIN
        PERFORM pg_advisory_xact_lock(hashtext('change_holds'), account::integer);
        DELETE FROM change_holds h WHERE h.account_id = account AND h.until < clock_timestamp();
        IF (SELECT count(*) FROM change_holds h WHERE h.account_id = account AND h.kind = held_kind) >= most THEN
          RETURN (SELECT greatest(1, ceil(extract(epoch FROM min(h.until) - clock_timestamp())))::integer FROM change_holds h WHERE h.account_id = account AND h.kind = held_kind);
        END IF;
        INSERT INTO change_holds (id, account_id, kind, until) VALUES (hold, account, held_kind, clock_timestamp() + make_interval(secs => seconds));
        RETURN NULL;
      END $$;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION take_change_hold(uuid, bigint, text, integer, integer); DROP TABLE change_holds');
  }
}
