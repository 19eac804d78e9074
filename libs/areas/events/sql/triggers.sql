CREATE OR REPLACE TRIGGER changes_are_recorded AFTER INSERT ON all_events FOR EACH ROW
  EXECUTE FUNCTION record_event();

-- The trigger runs before the deletion, because the function reads the rows of group_interests and participations,
-- which are deleted with the event.
CREATE OR REPLACE TRIGGER changes_are_recorded_deleted BEFORE DELETE ON all_events FOR EACH ROW
  EXECUTE FUNCTION record_event();

CREATE OR REPLACE TRIGGER changes_are_recorded_updated AFTER UPDATE ON all_events FOR EACH ROW
  WHEN (OLD.version <> NEW.version) EXECUTE FUNCTION record_event();

-- Because of the column list, a statement that takes a seat does not evaluate the condition of this trigger.
CREATE OR REPLACE TRIGGER changes_without_version_are_recorded AFTER UPDATE OF ticket_price_credits, source_name, source_url, boosted_until ON all_events FOR EACH ROW
  WHEN ((OLD.ticket_price_credits, OLD.source_name, OLD.source_url, OLD.boosted_until)
    IS DISTINCT FROM (NEW.ticket_price_credits, NEW.source_name, NEW.source_url, NEW.boosted_until)) EXECUTE FUNCTION record_event();

-- Runs when the event gets another organizer.
CREATE OR REPLACE TRIGGER changes_of_hands_are_recorded AFTER UPDATE OF organizer_id ON all_events FOR EACH ROW
  WHEN (OLD.organizer_id IS DISTINCT FROM NEW.organizer_id) EXECUTE FUNCTION record_event_handover();

CREATE OR REPLACE TRIGGER events_are_live AFTER INSERT ON all_events FOR EACH ROW
  WHEN (NEW.is_public AND (NEW.status = 'active')) EXECUTE FUNCTION live_events_follow();

-- A change of one of these columns increases SEQUENCE in calendars (RFC 5545).
CREATE OR REPLACE TRIGGER events_calendar_sequence BEFORE UPDATE OF status, starts_at, ends_at, location_name, location_address, latitude, longitude ON all_events FOR EACH ROW
  WHEN ((OLD.starts_at, OLD.ends_at, OLD.location_name, OLD.location_address, OLD.latitude, OLD.longitude, OLD.status)
    IS DISTINCT FROM (NEW.starts_at, NEW.ends_at, NEW.location_name, NEW.location_address, NEW.latitude, NEW.longitude, NEW.status)) EXECUTE FUNCTION events_calendar_sequence();

-- For an event that is inserted as cancelled, the function only sets cancelled_at.
CREATE OR REPLACE TRIGGER events_cancelled_from_the_start BEFORE INSERT ON all_events FOR EACH ROW
  WHEN (NEW.status = 'cancelled') EXECUTE FUNCTION events_calendar_sequence();

-- The view listable_events uses these columns. The view also uses confirmed_count and removed_at (see their triggers
-- below), over_at (computed from starts_at and ends_at) and created_at (never changed). Because of the column list, a
-- statement that takes a seat does not evaluate the condition.
CREATE OR REPLACE TRIGGER events_change_live AFTER
  UPDATE OF organizer_id, status, title, description, type, starts_at, ends_at, location_name, location_address, latitude, longitude, is_public, seeking_company,
    source_name, boosted_until, price_czk, ticket_price_credits, group_id, series_id
  ON all_events FOR EACH ROW
  WHEN ((OLD.is_public AND OLD.status = 'active' OR NEW.is_public AND NEW.status = 'active')
    AND (OLD.is_public, OLD.status, OLD.starts_at, OLD.ends_at, OLD.boosted_until, OLD.organizer_id, OLD.type, OLD.source_name, OLD.seeking_company, OLD.latitude,
        OLD.longitude, OLD.title, OLD.description, OLD.location_name, OLD.location_address, OLD.price_czk, OLD.ticket_price_credits, OLD.group_id, OLD.series_id)
      IS DISTINCT FROM (NEW.is_public, NEW.status, NEW.starts_at, NEW.ends_at, NEW.boosted_until, NEW.organizer_id, NEW.type, NEW.source_name, NEW.seeking_company,
        NEW.latitude, NEW.longitude, NEW.title, NEW.description, NEW.location_name, NEW.location_address, NEW.price_czk, NEW.ticket_price_credits, NEW.group_id,
        NEW.series_id))
  EXECUTE FUNCTION live_events_follow();

CREATE OR REPLACE TRIGGER events_count_live AFTER UPDATE ON all_events FOR EACH ROW
  WHEN ((OLD.confirmed_count <> NEW.confirmed_count) AND NEW.is_public AND (NEW.status = 'active')) EXECUTE FUNCTION live_events_participants();

CREATE OR REPLACE TRIGGER events_removal_live AFTER UPDATE OF removed_at ON all_events FOR EACH ROW
  WHEN (OLD.removed_at IS DISTINCT FROM NEW.removed_at) EXECUTE FUNCTION live_events_follow();

CREATE OR REPLACE TRIGGER events_revision BEFORE UPDATE ON all_events FOR EACH ROW
  WHEN (OLD.confirmed_count = NEW.confirmed_count) EXECUTE FUNCTION events_next_revision();

-- A column that is in neither list below counts as a field that the organizer writes. A new column therefore needs no
-- change here: a new value in it changes version and updated_at, and is recorded in the feed of changes. Because the
-- version changes, If-Match notices the new value (EVT-71).
-- Statements that change confirmed_count are excluded, because they change no column that counts for the version.
-- Comparing the old row with the new row would make these statements a fifth slower.
CREATE OR REPLACE TRIGGER events_version BEFORE UPDATE ON all_events FOR EACH ROW
  WHEN (OLD.confirmed_count = NEW.confirmed_count) EXECUTE FUNCTION give_version(
    -- Columns that only the service writes.
    '{id, organizer_id, series_id, series_index, over_at, confirmed_count, created_at, updated_at, revision, calendar_sequence, cancelled_at, version, removed_at, apply_key, offers_count}',
    -- Columns that operators write: they are shown but do not change the version. The trigger
    -- changes_without_version_are_recorded also lists them.
    '{ticket_price_credits, source_name, source_url, boosted_until}'
  );

CREATE OR REPLACE TRIGGER sight_is_recorded AFTER UPDATE OF removed_at ON all_events FOR EACH ROW
  WHEN ((OLD.removed_at IS NULL) <> (NEW.removed_at IS NULL)) EXECUTE FUNCTION record_visibility_of_events();

CREATE OR REPLACE TRIGGER deletion_is_notified AFTER DELETE ON all_events FOR EACH ROW
  EXECUTE FUNCTION notify_out_of_sight();

CREATE OR REPLACE TRIGGER out_of_sight_is_notified AFTER UPDATE OF removed_at, is_public ON all_events FOR EACH ROW
  WHEN (OLD.removed_at IS NULL AND NEW.removed_at IS NOT NULL OR OLD.is_public AND NOT NEW.is_public) EXECUTE FUNCTION notify_out_of_sight();
