CREATE OR REPLACE TRIGGER changes_are_recorded AFTER INSERT OR DELETE ON all_series FOR EACH ROW
  EXECUTE FUNCTION record_series();

CREATE OR REPLACE TRIGGER changes_are_recorded_updated AFTER UPDATE ON all_series FOR EACH ROW
  WHEN (OLD.version <> NEW.version
    OR (OLD.until, OLD.occurrences_limit, OLD.duration_minutes, OLD.generated, OLD.next_start)
      IS DISTINCT FROM (NEW.until, NEW.occurrences_limit, NEW.duration_minutes, NEW.generated, NEW.next_start)) EXECUTE FUNCTION record_series();

-- Deletes the occurrences of a removed series from live_events (the events that Discover lists), and inserts them again
-- after a restoration.
CREATE OR REPLACE TRIGGER series_removal_live AFTER UPDATE OF removed_at ON all_series FOR EACH ROW
  WHEN (OLD.removed_at IS DISTINCT FROM NEW.removed_at) EXECUTE FUNCTION live_events_of_series();

-- A column that is in neither of the two lists counts as a field that the organizer writes: if it changes, the series
-- gets a new version (EVT-71).
CREATE OR REPLACE TRIGGER series_version BEFORE UPDATE ON all_series FOR EACH ROW
  EXECUTE FUNCTION give_version(
    -- Columns that do not change after the creation, or that only the service changes.
    '{id, organizer_id, starts_at, frequency, interval, created_at, updated_at, version, removed_at}',
    -- These columns are shown but do not change the version. The condition of the trigger
    -- changes_are_recorded_updated also contains these columns.
    '{until, occurrences_limit, duration_minutes, generated, next_start}'
  );

-- Records in the feed that a removal has hidden the series and its occurrences, or that a restoration shows them again.
CREATE OR REPLACE TRIGGER sight_is_recorded AFTER UPDATE OF removed_at ON all_series FOR EACH ROW
  WHEN ((OLD.removed_at IS NULL) <> (NEW.removed_at IS NULL)) EXECUTE FUNCTION record_visibility_of_series();

CREATE OR REPLACE TRIGGER out_of_sight_is_notified AFTER UPDATE OF removed_at ON all_series FOR EACH ROW
  WHEN (OLD.removed_at IS NULL AND NEW.removed_at IS NOT NULL) EXECUTE FUNCTION notify_out_of_sight();
