CREATE OR REPLACE TRIGGER changes_are_recorded AFTER INSERT ON notifications REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT
  EXECUTE FUNCTION record_new_notices();

CREATE OR REPLACE TRIGGER changes_are_recorded_updated AFTER UPDATE ON notifications REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT
  EXECUTE FUNCTION record_updated_notices();

CREATE OR REPLACE TRIGGER reminders_are_planned AFTER INSERT ON all_events FOR EACH ROW
  WHEN (NEW.status = 'active' AND NEW.starts_at > NEW.updated_at) EXECUTE FUNCTION plan_reminders();

CREATE OR REPLACE TRIGGER reminders_are_planned_again AFTER UPDATE OF starts_at ON all_events FOR EACH ROW
  WHEN (OLD.starts_at <> NEW.starts_at AND NEW.status = 'active') EXECUTE FUNCTION plan_reminders();

CREATE OR REPLACE TRIGGER reminders_follow_the_choice AFTER UPDATE OF reminder_hours ON users FOR EACH ROW
  WHEN (OLD.reminder_hours <> NEW.reminder_hours) EXECUTE FUNCTION look_for_reminders_again();

CREATE OR REPLACE TRIGGER notices_are_pushed AFTER INSERT ON notifications REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT
  EXECUTE FUNCTION queue_push_messages();
