-- Records a change when an expense, a share or a payment gets another person, for example the pseudonym of a deleted
-- account.
CREATE OR REPLACE FUNCTION record_expense_handover() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  CASE TG_TABLE_NAME
    WHEN 'expense_shares' THEN PERFORM record_update('event', e.event_id, 'expense.updated', e.id) FROM expenses e WHERE e.id = NEW.expense_id;
    WHEN 'expense_payments' THEN PERFORM record_change('event', NEW.event_id, 'expense.updated', NEW.id, 'payment');
    ELSE PERFORM record_update('event', NEW.event_id, 'expense.updated', NEW.id);
  END CASE;
  RETURN NULL;
END $$;
