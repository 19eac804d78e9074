CREATE OR REPLACE TRIGGER changes_are_told AFTER INSERT ON all_comments FOR EACH ROW
  EXECUTE FUNCTION tell_comment();

CREATE OR REPLACE TRIGGER changes_are_told_deleted BEFORE DELETE ON all_comments FOR EACH ROW
  EXECUTE FUNCTION tell_comment();

CREATE OR REPLACE TRIGGER changes_of_hands_are_told AFTER UPDATE OF author_id ON all_comments FOR EACH ROW
  WHEN (OLD.author_id IS DISTINCT FROM NEW.author_id) EXECUTE FUNCTION tell_comment_of_another();

CREATE OR REPLACE TRIGGER sight_is_told AFTER UPDATE OF removed_at ON all_comments FOR EACH ROW
  WHEN ((OLD.removed_at IS NULL) <> (NEW.removed_at IS NULL)) EXECUTE FUNCTION tell_sight_of_comments();

CREATE OR REPLACE TRIGGER out_of_sight_is_notified AFTER UPDATE OF removed_at ON all_comments FOR EACH ROW
  WHEN (OLD.removed_at IS NULL AND NEW.removed_at IS NOT NULL) EXECUTE FUNCTION notify_out_of_sight();
