CREATE OR REPLACE TRIGGER changes_are_recorded AFTER INSERT OR DELETE ON all_gallery_photos FOR EACH ROW
  EXECUTE FUNCTION record_part_of_event('photo');

-- Records in the feed of changes that a moderator removed a photo (`photo.gone`) or restored a photo (`photo.created`).
CREATE OR REPLACE TRIGGER sight_is_recorded AFTER UPDATE OF removed_at ON all_gallery_photos FOR EACH ROW
  WHEN ((OLD.removed_at IS NULL) <> (NEW.removed_at IS NULL)) EXECUTE FUNCTION record_visibility_of_gallery_photos();

-- Reports the removal of a photo to the processes that read from replicas (docs/adr/0300-read-replicas.md).
CREATE OR REPLACE TRIGGER out_of_sight_is_notified AFTER UPDATE OF removed_at ON all_gallery_photos FOR EACH ROW
  WHEN (OLD.removed_at IS NULL AND NEW.removed_at IS NOT NULL) EXECUTE FUNCTION notify_out_of_sight();
