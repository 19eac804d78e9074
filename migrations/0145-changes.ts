import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Table changes: the feed of changes (docs/adr/0011-changes.md). For each change, triggers write an entry in the
 * transaction of this change.
 */
export class Changes0145 implements MigrationInterface {
  readonly name = 'Changes0000000000145';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(LOG);
    await runner.query(partitions());
    await runner.query(RECORDING);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP FUNCTION record_update(text, bigint, text, bigint, text);
      DROP FUNCTION record_change(text, bigint, text, bigint, text, bigint, bigint, boolean);
      DROP FUNCTION change_teller();
      DROP TABLE changes;
      DROP SEQUENCE change_numbers;
    `);
  }
}

/**
 * Partitions for this week and the next three weeks, from Monday to Monday in UTC. The job `changes-sweep` adds more.
 */
function partitions(): string {
  return `
    DO $$
    DECLARE
      monday timestamptz := date_trunc('week', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC';
    BEGIN
      FOR week IN 0..3 LOOP
        EXECUTE format('CREATE TABLE %I PARTITION OF changes FOR VALUES FROM (%L) TO (%L)',
          'changes_' || to_char((monday + week * interval '168 hours') AT TIME ZONE 'UTC', 'YYYYMMDD'),
          monday + week * interval '168 hours', monday + (week + 1) * interval '168 hours');
      END LOOP;
    END $$`;
}

const LOG = `
  CREATE SEQUENCE change_numbers AS bigint;

  CREATE TABLE changes (
    -- Increases in the order in which the entries are written.
    id bigint NOT NULL DEFAULT nextval('change_numbers'),
    -- The transaction. Readers compare this number with the snapshot in their cursor.
    xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- The topic of the entry: an account, an event or a group. No foreign key: the entry remains when the topic is
    -- deleted.
    topic_kind text NOT NULL,
    topic_id bigint NOT NULL,
    type text NOT NULL,
    -- The changed row; for participants and members, the person. subject_text is the code of a ticket or the slug of a
    -- post.
    subject_id bigint NOT NULL,
    subject_text text,
    -- The post of a comment, or the group of a new event.
    parent_id bigint,
    -- The participant, the member, the organizer or the owner.
    person_id bigint,
    -- Whether the number of participants or members changed too.
    counted boolean NOT NULL,
    -- The account that made the change. Null for a change by an operator or a job, and always for the types \`….gone\`
    -- and \`notice.created\`.
    by_id bigint
  ) PARTITION BY RANGE (at);
  CREATE INDEX changes_topic ON changes (topic_kind, topic_id, xid, id);
  CREATE INDEX changes_xid ON changes (xid);
  -- This partition contains the entries of all times without a weekly partition, so that no entry is refused.
  CREATE TABLE changes_rest PARTITION OF changes DEFAULT;
`;

const RECORDING = `
  CREATE FUNCTION change_teller() RETURNS bigint LANGUAGE sql STABLE
  AS $$ SELECT nullif(current_setting('changes.by', true), '')::bigint $$;

  CREATE FUNCTION record_change(topic_kind text, topic_id bigint, type text, subject_id bigint, subject_text text DEFAULT NULL,
    parent_id bigint DEFAULT NULL, person_id bigint DEFAULT NULL, counted boolean DEFAULT false) RETURNS void
  LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO changes (topic_kind, topic_id, type, subject_id, subject_text, parent_id, person_id, counted, by_id)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, CASE WHEN $3 LIKE '%.gone' THEN NULL ELSE change_teller() END);
  END $$;

  CREATE FUNCTION record_update(topic_kind text, topic_id bigint, type text, subject_id bigint, subject_text text DEFAULT NULL) RETURNS void
  LANGUAGE plpgsql AS $$
  DECLARE
    kind text := split_part($3, '.', 1);
  BEGIN
    IF EXISTS (
      SELECT FROM changes c WHERE c.topic_kind = $1 AND c.topic_id = $2 AND c.xid = pg_current_xact_id()
         AND c.subject_id = $4 AND c.type IN (kind || '.created', kind || '.updated', kind || '.cancelled')) THEN
      RETURN;
    END IF;
    PERFORM record_change($1, $2, $3, $4, $5);
  END $$;
`;
