CREATE OR REPLACE TRIGGER changes_are_recorded AFTER INSERT OR DELETE ON participations FOR EACH ROW
  EXECUTE FUNCTION record_participation();

CREATE OR REPLACE TRIGGER changes_are_recorded_updated AFTER UPDATE ON participations FOR EACH ROW
  WHEN ((OLD.status, OLD.invited_at, OLD.requested_at, OLD.joined_at, OLD.checked_in_at, OLD.ticket_code, OLD.offer_expires_at)
    IS DISTINCT FROM (NEW.status, NEW.invited_at, NEW.requested_at, NEW.joined_at, NEW.checked_in_at, NEW.ticket_code, NEW.offer_expires_at)) EXECUTE FUNCTION record_participation();

-- An erasure assigns the participation to a pseudonym.
CREATE OR REPLACE TRIGGER changes_of_hands_are_recorded AFTER UPDATE OF user_id ON participations FOR EACH ROW
  WHEN (OLD.user_id IS DISTINCT FROM NEW.user_id) EXECUTE FUNCTION record_seat_handover();

CREATE OR REPLACE TRIGGER waitlist_entry_is_numbered BEFORE INSERT ON participations FOR EACH ROW
  WHEN (NEW.status = 'waitlisted') EXECUTE FUNCTION number_waitlist_entry();

CREATE OR REPLACE TRIGGER waitlist_entry_is_numbered_updated BEFORE UPDATE OF status ON participations FOR EACH ROW
  WHEN (NEW.status = 'waitlisted' AND OLD.status <> 'waitlisted') EXECUTE FUNCTION number_waitlist_entry();

CREATE OR REPLACE TRIGGER participations_forget_door_marks AFTER UPDATE OF check_in_code ON participations FOR EACH ROW
  WHEN ((OLD.check_in_code IS NOT NULL) AND (OLD.check_in_code IS DISTINCT FROM NEW.check_in_code)) EXECUTE FUNCTION forget_door_marks();

CREATE OR REPLACE TRIGGER participations_hide AFTER INSERT ON participations FOR EACH ROW
  WHEN (NEW.status = 'banned') EXECUTE FUNCTION record_hidden_from_change();

CREATE OR REPLACE TRIGGER participations_hide_or_show AFTER UPDATE ON participations FOR EACH ROW
  WHEN ((OLD.status = 'banned') <> (NEW.status = 'banned')) EXECUTE FUNCTION record_hidden_from_change();

CREATE OR REPLACE TRIGGER participations_show AFTER DELETE ON participations FOR EACH ROW
  WHEN (OLD.status = 'banned') EXECUTE FUNCTION record_hidden_from_change();

CREATE OR REPLACE TRIGGER changes_are_recorded AFTER INSERT OR DELETE OR UPDATE ON tickets FOR EACH ROW
  EXECUTE FUNCTION record_part_of_event('ticket');

CREATE OR REPLACE TRIGGER numbers_are_counted AFTER INSERT ON participations FOR EACH ROW
  WHEN (NEW.status IN ('confirmed', 'waitlisted')) EXECUTE FUNCTION count_participation();

CREATE OR REPLACE TRIGGER numbers_are_counted_ended AFTER DELETE ON participations FOR EACH ROW
  WHEN (OLD.status IN ('confirmed', 'waitlisted')) EXECUTE FUNCTION count_participation();

CREATE OR REPLACE TRIGGER numbers_are_counted_changed AFTER UPDATE OF status ON participations FOR EACH ROW
  WHEN (OLD.status <> NEW.status AND (OLD.status IN ('confirmed', 'waitlisted') OR NEW.status IN ('confirmed', 'waitlisted')))
  EXECUTE FUNCTION count_participation();
