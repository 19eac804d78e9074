CREATE OR REPLACE TRIGGER changes_are_recorded AFTER INSERT OR DELETE ON group_interests FOR EACH ROW
  EXECUTE FUNCTION record_interest();
