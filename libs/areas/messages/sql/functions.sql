-- Trigger function: records a change of each notice about the message in the feed of changes (`notice.updated`).
CREATE OR REPLACE FUNCTION record_notices_of_message() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM record_message_notices(OLD.id);
  RETURN NULL;
END $$;
