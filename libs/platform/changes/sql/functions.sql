-- The acting account of the transaction, or null.
CREATE OR REPLACE FUNCTION acting_account() RETURNS bigint LANGUAGE sql STABLE AS $$ SELECT nullif(current_setting('changes.by', true), '')::bigint $$;

-- Adds an entry to the feed of changes (docs/adr/0011-changes.md). The entry has no number until number_changes() runs.
-- An entry whose type ends in `.gone` does not contain the acting account.
CREATE OR REPLACE FUNCTION record_change(topic_kind text, topic_id bigint, type text, subject_id bigint, subject_text text DEFAULT NULL, parent_id bigint DEFAULT NULL, person_id bigint DEFAULT NULL, counted boolean DEFAULT false) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO unnumbered_changes (topic_kind, topic_id, type, subject_id, subject_text, parent_id, person_id, counted, by_id)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, CASE WHEN $3 LIKE '%.gone' THEN NULL ELSE acting_account() END);
END $$;

-- Adds an entry, unless this transaction has already recorded the creation, an update or the cancellation of the same
-- object in the same topic.
CREATE OR REPLACE FUNCTION record_update(topic_kind text, topic_id bigint, type text, subject_id bigint, subject_text text DEFAULT NULL) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  kind text := split_part($3, '.', 1);
BEGIN
  IF EXISTS (
    SELECT FROM unnumbered_changes c WHERE c.topic_kind = $1 AND c.topic_id = $2 AND c.xid = pg_current_xact_id()
       AND c.subject_id = $4 AND c.type IN (kind || '.created', kind || '.updated', kind || '.cancelled')) THEN
    RETURN;
  END IF;
  PERFORM record_change($1, $2, $3, $4, $5);
END $$;

-- Gives every committed entry its number and moves it to the table changes (docs/adr/0380-numbered-feed.md). Returns
-- the last number. Only one session at a time gives numbers. It releases the lock at its commit, so numbers become
-- visible in their order. An open transaction does not delay the entries of other transactions: its own entries are
-- numbered after its commit. The entries of one transaction get consecutive numbers. The snapshot of the last run
-- limits the search: only transactions that are not visible in this snapshot can have committed new entries. Rows of
-- unnumbered_changes exist for milliseconds only, so the statistics of this table are useless. Sequential scans are
-- disabled, because an index scan is always the better plan.
CREATE OR REPLACE FUNCTION number_changes() RETURNS bigint LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  feed change_feed;
  unseen_from xid8;
  running xid8[];
  is_locked boolean := false;
BEGIN
  LOOP
    SELECT * INTO STRICT feed FROM change_feed;
    unseen_from := coalesce(pg_snapshot_xmax(feed.seen), '0');
    running := ARRAY(SELECT pg_snapshot_xip(feed.seen));
    IF NOT EXISTS (SELECT FROM unnumbered_changes c WHERE c.xid >= unseen_from OR c.xid = ANY (running)) THEN
      -- Read again: another session may have numbered the entries since the first statement of this loop.
      RETURN (SELECT last_number FROM change_feed);
    END IF;
    EXIT WHEN is_locked;
    PERFORM pg_advisory_xact_lock(hashtext('number_changes'), 0);
    is_locked := true;
  END LOOP;
  WITH committed AS (
    DELETE FROM unnumbered_changes c WHERE c.xid >= unseen_from OR c.xid = ANY (running) RETURNING c.*),
  numbered AS (
    INSERT INTO changes (at, topic_kind, topic_id, type, subject_id, subject_text, parent_id, person_id, counted, by_id)
    SELECT at, topic_kind, topic_id, type, subject_id, subject_text, parent_id, person_id, counted, by_id
      FROM (SELECT c.*, min(written) OVER (PARTITION BY xid) AS first_written FROM committed c) ordered
     ORDER BY first_written, written
    RETURNING id)
  UPDATE change_feed SET seen = pg_current_snapshot(), last_number = greatest(last_number, (SELECT max(id) FROM numbered))
  RETURNING last_number INTO feed.last_number;
  RETURN feed.last_number;
END $$;
