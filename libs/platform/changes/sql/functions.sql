-- The acting account of the transaction, or null.
CREATE OR REPLACE FUNCTION change_teller() RETURNS bigint LANGUAGE sql STABLE AS $$ SELECT nullif(current_setting('changes.by', true), '')::bigint $$;

-- Adds an entry to the log of changes (docs/adr/0011-changes.md).
CREATE OR REPLACE FUNCTION record_change(topic_kind text, topic_id bigint, type text, subject_id bigint, subject_text text DEFAULT NULL, parent_id bigint DEFAULT NULL, person_id bigint DEFAULT NULL, counted boolean DEFAULT false) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO changes (topic_kind, topic_id, type, subject_id, subject_text, parent_id, person_id, counted, by_id)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, CASE WHEN $3 LIKE '%.gone' THEN NULL ELSE change_teller() END);
END $$;

-- Adds an entry unless this transaction has recorded the creation or an update of the same thing already.
CREATE OR REPLACE FUNCTION record_update(topic_kind text, topic_id bigint, type text, subject_id bigint, subject_text text DEFAULT NULL) RETURNS void LANGUAGE plpgsql AS $$
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
