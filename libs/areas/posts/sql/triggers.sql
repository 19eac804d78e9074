CREATE OR REPLACE TRIGGER changes_are_recorded AFTER INSERT OR DELETE ON all_posts FOR EACH ROW
  EXECUTE FUNCTION record_post();

CREATE OR REPLACE TRIGGER changes_are_recorded_updated AFTER UPDATE ON all_posts FOR EACH ROW
  WHEN (OLD.version <> NEW.version OR OLD.published_at IS DISTINCT FROM NEW.published_at) EXECUTE FUNCTION record_post();

-- A column that is in neither of the two lists counts as a field that the author writes: if it changes, the post gets a
-- new version (EVT-71).
CREATE OR REPLACE TRIGGER posts_version BEFORE UPDATE ON all_posts FOR EACH ROW
  EXECUTE FUNCTION give_version(
    -- Columns that only the service writes.
    '{id, author_id, slug, created_at, updated_at, version, removed_at}',
    -- This column is shown but does not change the version. The condition of the trigger
    -- changes_are_recorded_updated also contains it.
    '{published_at}'
  );

CREATE OR REPLACE TRIGGER sight_is_recorded AFTER UPDATE OF removed_at ON all_posts FOR EACH ROW
  WHEN ((OLD.removed_at IS NULL) <> (NEW.removed_at IS NULL)) EXECUTE FUNCTION record_visibility_of_posts();

CREATE OR REPLACE TRIGGER deletion_is_notified AFTER DELETE ON all_posts FOR EACH ROW
  EXECUTE FUNCTION notify_out_of_sight();

CREATE OR REPLACE TRIGGER out_of_sight_is_notified AFTER UPDATE OF removed_at ON all_posts FOR EACH ROW
  WHEN (OLD.removed_at IS NULL AND NEW.removed_at IS NOT NULL) EXECUTE FUNCTION notify_out_of_sight();
