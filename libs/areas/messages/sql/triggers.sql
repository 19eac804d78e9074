-- The removal, restoration or deletion of a message changes the text of the notices about it. These triggers record a
-- change of each notice in the feed (notice.updated).
CREATE OR REPLACE TRIGGER notices_follow_the_message AFTER UPDATE OF removed_at ON all_event_messages FOR EACH ROW
  WHEN ((OLD.removed_at IS NULL) <> (NEW.removed_at IS NULL)) EXECUTE FUNCTION record_notices_of_message();

CREATE OR REPLACE TRIGGER notices_outlive_the_message AFTER DELETE ON all_event_messages FOR EACH ROW
  EXECUTE FUNCTION record_notices_of_message();
