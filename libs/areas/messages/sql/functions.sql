-- Trigger function: records a change (`notice.updated`) of each notice about the message.
CREATE OR REPLACE FUNCTION record_notices_of_message() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM record_message_notices(OLD.id);
  RETURN NULL;
END $$;
