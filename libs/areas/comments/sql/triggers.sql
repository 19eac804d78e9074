-- Records a new comment in the feed of changes (`comment.created`).
CREATE OR REPLACE TRIGGER changes_are_recorded AFTER INSERT ON all_comments FOR EACH ROW
  EXECUTE FUNCTION record_comment();

-- Records a deleted comment in the feed of changes (`comment.gone`).
CREATE OR REPLACE TRIGGER changes_are_recorded_deleted BEFORE DELETE ON all_comments FOR EACH ROW
  EXECUTE FUNCTION record_comment();

-- Records a new author of a comment in the feed of changes (`comment.updated`).
CREATE OR REPLACE TRIGGER changes_of_hands_are_recorded AFTER UPDATE OF author_id ON all_comments FOR EACH ROW
  WHEN (OLD.author_id IS DISTINCT FROM NEW.author_id) EXECUTE FUNCTION record_comment_handover();

-- Records in the feed of changes that a moderator removed a comment (`comment.gone`) or restored a comment
-- (`comment.created`).
CREATE OR REPLACE TRIGGER sight_is_recorded AFTER UPDATE OF removed_at ON all_comments FOR EACH ROW
  WHEN ((OLD.removed_at IS NULL) <> (NEW.removed_at IS NULL)) EXECUTE FUNCTION record_visibility_of_comments();

-- Notifies the processes that read from replicas when a moderator removes a comment (docs/adr/0300-read-replicas.md).
CREATE OR REPLACE TRIGGER out_of_sight_is_notified AFTER UPDATE OF removed_at ON all_comments FOR EACH ROW
  WHEN (OLD.removed_at IS NULL AND NEW.removed_at IS NOT NULL) EXECUTE FUNCTION notify_out_of_sight();
