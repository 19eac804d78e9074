CREATE OR REPLACE TRIGGER audit_entries_stay BEFORE DELETE OR UPDATE ON audit_entries FOR EACH ROW
  EXECUTE FUNCTION audit_is_append_only();
ALTER TABLE audit_entries ENABLE ALWAYS TRIGGER audit_entries_stay;

CREATE OR REPLACE TRIGGER audit_entries_stay_all BEFORE TRUNCATE ON audit_entries FOR EACH STATEMENT
  EXECUTE FUNCTION audit_is_append_only();
ALTER TABLE audit_entries ENABLE ALWAYS TRIGGER audit_entries_stay_all;
