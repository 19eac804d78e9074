import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Table request_log: the requests of each account, with a partition for each UTC day. The first three partitions are
 * created here; later, the job `request-log-sweep` creates and drops partitions.
 */
export class RequestLog0450 implements MigrationInterface {
  readonly name = 'RequestLog0000000000450';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE SEQUENCE request_numbers AS bigint;

      CREATE TABLE request_log (
        -- Milliseconds since 2020, then the last twelve bits of a sequence number. Until 2089, ids are safe integers in
        -- JavaScript.
        id bigint NOT NULL,
        -- When the request arrived.
        at timestamptz NOT NULL,
        -- No foreign key, because creating or dropping a partition would lock the table users. The erasure of an
        -- account deletes the rows of this account.
        user_id bigint NOT NULL,
        request_id text NOT NULL,
        method text NOT NULL,
        route text,
        path text NOT NULL,
        status smallint NOT NULL,
        code text,
        ms integer NOT NULL,
        bytes bigint NOT NULL,
        dry_run boolean NOT NULL,
        -- The token or the grant of the request. The names remain after the token or the grant is deleted.
        token_id bigint,
        token_name text,
        grant_id bigint,
        app_name text,
        user_agent text
      ) PARTITION BY RANGE (at);
      CREATE INDEX request_log_account ON request_log (user_id, id);
      -- This partition takes the requests of days without a partition of their own.
      CREATE TABLE request_log_rest PARTITION OF request_log DEFAULT;
    `);
    await runner.query(`
      DO $$
      DECLARE
        day timestamptz := date_trunc('day', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC';
      BEGIN
        FOR n IN 0..2 LOOP
          EXECUTE format('CREATE TABLE %I PARTITION OF request_log FOR VALUES FROM (%L) TO (%L)',
            'request_log_' || to_char((day + n * interval '24 hours') AT TIME ZONE 'UTC', 'YYYYMMDD'),
            day + n * interval '24 hours', day + (n + 1) * interval '24 hours');
        END LOOP;
      END $$
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE request_log; DROP SEQUENCE request_numbers');
  }
}
