import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The feed of changes, in the order of their commits (docs/adr/0011-changes.md). Triggers write a row for each change
 * in the transaction that makes the change, so no code can forget it. The audience is found when the feed is read: a
 * row has one topic, and the rights of an account that follows the topic are checked at that time. Only an account that
 * loses access gets a row under its own topic.
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

/** Partitions for this week and the next weeks, from Monday to Monday in UTC. The job `changes-sweep` adds more. */
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
    -- In the order of writing: of two transactions that wait for each other's rows, that is the order of their commits.
    id bigint NOT NULL DEFAULT nextval('change_numbers'),
    -- What a snapshot is asked about: a cursor is a snapshot, and what it does not see is news.
    xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- Under what it is found: an account, an event or a group. No foreign key: it outlives them.
    topic_kind text NOT NULL,
    topic_id bigint NOT NULL,
    type text NOT NULL,
    -- The row it speaks of; a person for participants and members. A ticket is named by its code, a post by its slug too.
    subject_id bigint NOT NULL,
    subject_text text,
    -- The post of a comment; the group of a new event.
    parent_id bigint,
    -- Whom it is about beside the topic: the participant, the member, the organizer, the owner.
    person_id bigint,
    -- The number of participants or members changed too: that is told to whoever sees the number.
    counted boolean NOT NULL,
    -- NULL: an operator, a job.
    by_id bigint
  ) PARTITION BY RANGE (at);
  CREATE INDEX changes_topic ON changes (topic_kind, topic_id, xid, id);
  CREATE INDEX changes_xid ON changes (xid);
  -- For what falls between the weeks that are prepared: nothing is ever refused for want of a place.
  CREATE TABLE changes_rest PARTITION OF changes DEFAULT;
`;

const RECORDING = `
  -- Whose request the transaction belongs to, as platform/changes says it at its beginning.
  CREATE FUNCTION change_teller() RETURNS bigint LANGUAGE sql STABLE
  AS $$ SELECT nullif(current_setting('changes.by', true), '')::bigint $$;

  -- Records one change. What is gone tells nobody's name.
  CREATE FUNCTION record_change(topic_kind text, topic_id bigint, type text, subject_id bigint, subject_text text DEFAULT NULL,
    parent_id bigint DEFAULT NULL, person_id bigint DEFAULT NULL, counted boolean DEFAULT false) RETURNS void
  LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO changes (topic_kind, topic_id, type, subject_id, subject_text, parent_id, person_id, counted, by_id)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, CASE WHEN $3 LIKE '%.gone' THEN NULL ELSE change_teller() END);
  END $$;

  -- As record_change, unless the transaction has already said of it that it is new or other.
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
