-- For each new notice, adds a message for every subscribed browser of the notice's reader. Whether the reader gets
-- notices of this kind as push messages is checked when the message is sent.
CREATE OR REPLACE FUNCTION queue_push_messages() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO push_messages (notice_id, subscription_id, next_attempt_at, created_at)
  SELECT n.id, s.id, n.created_at, n.created_at FROM new_rows n JOIN push_subscriptions s ON s.user_id = n.user_id;
  RETURN NULL;
END $$;
