CREATE OR REPLACE TRIGGER changes_are_recorded AFTER INSERT ON all_groups FOR EACH ROW
  EXECUTE FUNCTION record_group();

CREATE OR REPLACE TRIGGER changes_are_recorded_updated AFTER UPDATE ON all_groups FOR EACH ROW
  WHEN (OLD.version <> NEW.version) EXECUTE FUNCTION record_group();

-- The group gets another owner.
CREATE OR REPLACE TRIGGER changes_of_hands_are_recorded AFTER UPDATE OF owner_id ON all_groups FOR EACH ROW
  WHEN (OLD.owner_id IS DISTINCT FROM NEW.owner_id) EXECUTE FUNCTION record_group_handover();

CREATE OR REPLACE TRIGGER groups_count_cell AFTER INSERT OR DELETE OR UPDATE OF is_public, latitude, longitude, removed_at ON all_groups FOR EACH ROW
  EXECUTE FUNCTION count_group_in_cell();

-- Gives the group a new version at each change of a field that the owner writes (EVT-71). Every column that is not in
-- the list below counts as such a field. Statements that change `members_count` are excluded, because they write no
-- other column.
CREATE OR REPLACE TRIGGER groups_version BEFORE UPDATE ON all_groups FOR EACH ROW
  WHEN (OLD.members_count = NEW.members_count) EXECUTE FUNCTION give_version(
    -- Columns that only the service writes.
    '{id, owner_id, place, cell, members_count, invite_code, created_at, updated_at, version, removed_at}'
  );

-- Records in the feed that a removal has hidden the group, or that a restoration shows it again.
CREATE OR REPLACE TRIGGER sight_is_recorded AFTER UPDATE OF removed_at ON all_groups FOR EACH ROW
  WHEN ((OLD.removed_at IS NULL) <> (NEW.removed_at IS NULL)) EXECUTE FUNCTION record_visibility_of_groups();

CREATE OR REPLACE TRIGGER changes_are_recorded AFTER INSERT OR DELETE OR UPDATE ON group_members FOR EACH ROW
  EXECUTE FUNCTION record_member();

-- This trigger and the next one notify the processes that read from replicas that a group was deleted, removed or made
-- private.
CREATE OR REPLACE TRIGGER deletion_is_notified AFTER DELETE ON all_groups FOR EACH ROW
  EXECUTE FUNCTION notify_out_of_sight();

CREATE OR REPLACE TRIGGER out_of_sight_is_notified AFTER UPDATE OF removed_at, is_public ON all_groups FOR EACH ROW
  WHEN (OLD.removed_at IS NULL AND NEW.removed_at IS NOT NULL OR OLD.is_public AND NOT NEW.is_public) EXECUTE FUNCTION notify_out_of_sight();
