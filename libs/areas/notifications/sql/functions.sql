CREATE OR REPLACE FUNCTION tell_notices() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO unnumbered_changes (topic_kind, topic_id, type, subject_id, counted, by_id)
  SELECT 'account', n.user_id, 'notice.created', n.id, false, NULL FROM told n ORDER BY n.id;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION tell_notices_read() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO unnumbered_changes (topic_kind, topic_id, type, subject_id, counted, by_id)
  SELECT 'account', n.user_id, 'notice.updated', n.id, false, change_teller() FROM told n JOIN before b USING (id)
   WHERE (n.read_at, n.person_id, n.words) IS DISTINCT FROM (b.read_at, b.person_id, b.words) ORDER BY n.id;
  RETURN NULL;
END $$;
