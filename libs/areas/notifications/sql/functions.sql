CREATE OR REPLACE FUNCTION record_new_notices() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO unnumbered_changes (topic_kind, topic_id, type, subject_id, subject_text, counted, by_id)
  SELECT 'account', n.user_id, 'notice.created', n.id, n.subject_type, false, NULL FROM new_rows n ORDER BY n.id;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION record_updated_notices() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO unnumbered_changes (topic_kind, topic_id, type, subject_id, subject_text, counted, by_id)
  SELECT 'account', n.user_id, 'notice.updated', n.id, n.subject_type, false, acting_account() FROM new_rows n JOIN old_rows o USING (id)
   WHERE (n.read_at, n.person_id, n.words, n.people) IS DISTINCT FROM (o.read_at, o.person_id, o.words, o.people) ORDER BY n.id;
  RETURN NULL;
END $$;

-- Plans the first check for 48 hours before the start. People cannot choose an earlier time for reminders
-- (REMINDER_HOURS).
CREATE OR REPLACE FUNCTION plan_reminders() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO event_reminders (event_id, start_set_at, look_at)
  VALUES (NEW.id, NEW.updated_at, NEW.starts_at - interval '48 hours')
  ON CONFLICT (event_id) DO UPDATE SET start_set_at = excluded.start_set_at, look_at = excluded.look_at;
  RETURN NULL;
END $$;

-- Called when a person has chosen another time for reminders. Lets the next run of the job check all events in which
-- this person is a confirmed participant.
CREATE OR REPLACE FUNCTION look_for_reminders_again() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE event_reminders r SET look_at = '-infinity'
    FROM participations p WHERE p.user_id = NEW.id AND p.status = 'confirmed' AND r.event_id = p.event_id;
  RETURN NULL;
END $$;

-- Records in the feed of changes that the text of the notices about a comment has changed. The text changes when the
-- comment is hidden, shown again or deleted, because these notices quote the comment only while the comment is visible.
CREATE OR REPLACE FUNCTION record_comment_notices(comment bigint) RETURNS void LANGUAGE sql AS $$
  INSERT INTO unnumbered_changes (topic_kind, topic_id, type, subject_id, subject_text, counted, by_id)
  SELECT 'account', n.user_id, 'notice.updated', n.id, n.subject_type, false, acting_account()
    FROM notifications n WHERE n.kind = 'comment' AND n.subject_id = comment ORDER BY n.id
$$;

-- Like record_comment_notices, for all comments on an event or a post. Called when the event or the post is hidden or
-- shown again, because notices do not quote the comments on a hidden event or post.
CREATE OR REPLACE FUNCTION record_notices_about_comments(event bigint, post bigint) RETURNS void LANGUAGE sql AS $$
  WITH roots AS (SELECT c.id FROM comments c WHERE c.event_id = event UNION ALL SELECT c.id FROM comments c WHERE c.post_id = post)
  SELECT record_comment_notices(quoted.id)
    FROM (SELECT id FROM roots UNION ALL SELECT c.id FROM roots r JOIN comments c ON c.root_id = r.id) quoted ORDER BY quoted.id
$$;

-- Records in the feed of changes that the text of notices about an organizer's message has changed.
CREATE OR REPLACE FUNCTION record_message_notices(message bigint) RETURNS void LANGUAGE sql AS $$
  INSERT INTO unnumbered_changes (topic_kind, topic_id, type, subject_id, subject_text, counted, by_id)
  SELECT 'account', n.user_id, 'notice.updated', n.id, n.subject_type, false, acting_account()
    FROM notifications n WHERE n.kind = 'organizer_message' AND n.subject_id = message ORDER BY n.id
$$;
