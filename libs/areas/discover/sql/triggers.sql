-- Changes of live_events are recorded for the totals (docs/adr/0007-totals.md). A change of the number of participants
-- is not recorded, because this number changes whenever a person joins or leaves an event. Two other changes are also
-- not recorded: clearing a boost that has ended, and filling `folded_text` of a row from before migration 0590.
CREATE OR REPLACE TRIGGER live_events_change AFTER
  UPDATE OF starts_at, over_at, boosted_until, organizer_id, type, imported, seeking, x, y, z, cell, folded, free, group_id, series_id, latitude, longitude, folded_text
  ON live_events FOR EACH ROW
  WHEN ((OLD.organizer_id, OLD.over_at, OLD.starts_at, OLD.type, OLD.imported, OLD.seeking, OLD.cell, OLD.x, OLD.y, OLD.z, OLD.folded,
       OLD.free, OLD.group_id, OLD.series_id, OLD.latitude, OLD.longitude)
      IS DISTINCT FROM (NEW.organizer_id, NEW.over_at, NEW.starts_at, NEW.type, NEW.imported, NEW.seeking, NEW.cell, NEW.x, NEW.y, NEW.z, NEW.folded,
       NEW.free, NEW.group_id, NEW.series_id, NEW.latitude, NEW.longitude)
    OR OLD.folded_text <> NEW.folded_text
    OR OLD.boosted_until IS DISTINCT FROM NEW.boosted_until AND (NEW.boosted_until IS NOT NULL OR OLD.boosted_until > now()))
  EXECUTE FUNCTION record_live_event_change();

CREATE OR REPLACE TRIGGER live_events_come_and_go AFTER INSERT OR DELETE ON live_events FOR EACH ROW
  EXECUTE FUNCTION record_live_event_change();
