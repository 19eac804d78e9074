CREATE OR REPLACE TRIGGER changes_are_recorded AFTER INSERT OR DELETE ON expense_payments FOR EACH ROW
  EXECUTE FUNCTION record_part_of_event('payment');

CREATE OR REPLACE TRIGGER changes_of_hands_are_recorded AFTER UPDATE OF sender_id, receiver_id ON expense_payments FOR EACH ROW
  WHEN ((OLD.sender_id, OLD.receiver_id)
    IS DISTINCT FROM (NEW.sender_id, NEW.receiver_id)) EXECUTE FUNCTION record_expense_handover();

CREATE OR REPLACE TRIGGER changes_of_hands_are_recorded AFTER UPDATE OF user_id ON expense_shares FOR EACH ROW
  WHEN (OLD.user_id IS DISTINCT FROM NEW.user_id) EXECUTE FUNCTION record_expense_handover();

CREATE OR REPLACE TRIGGER changes_are_recorded AFTER INSERT OR DELETE ON expenses FOR EACH ROW
  EXECUTE FUNCTION record_part_of_event('expense');

CREATE OR REPLACE TRIGGER changes_of_hands_are_recorded AFTER UPDATE OF paid_by ON expenses FOR EACH ROW
  WHEN (OLD.paid_by IS DISTINCT FROM NEW.paid_by) EXECUTE FUNCTION record_expense_handover();
