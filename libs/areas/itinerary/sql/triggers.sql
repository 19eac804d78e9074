CREATE OR REPLACE TRIGGER changes_are_recorded AFTER INSERT OR DELETE ON itineraries FOR EACH ROW
  EXECUTE FUNCTION record_part_of_event('itinerary');

CREATE OR REPLACE TRIGGER changes_are_recorded_updated AFTER UPDATE ON itineraries FOR EACH ROW
  WHEN (OLD.version <> NEW.version) EXECUTE FUNCTION record_part_of_event('itinerary');

-- If only the columns named here change, the itinerary keeps its version.
CREATE OR REPLACE TRIGGER itineraries_version BEFORE UPDATE ON itineraries FOR EACH ROW
  EXECUTE FUNCTION give_version('{event_id, created_at, version}', '{updated_at}');
