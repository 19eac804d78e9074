-- Adds a change to the feed of changes when an expense, a share or a payment gets another person, for example the
-- pseudonym of a deleted account.
CREATE OR REPLACE FUNCTION record_expense_handover() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  CASE TG_TABLE_NAME
    WHEN 'expense_shares' THEN PERFORM record_update('event', e.event_id, 'expense.updated', e.id) FROM expenses e WHERE e.id = NEW.expense_id;
    WHEN 'expense_payments' THEN PERFORM record_change('event', NEW.event_id, 'expense.updated', NEW.id, 'payment');
    ELSE PERFORM record_update('event', NEW.event_id, 'expense.updated', NEW.id);
  END CASE;
  RETURN NULL;
END $$;

-- Records in the feed of changes that a person's bank account has changed. The settlement of an event shows the account
-- if others have to pay the person, which is the case if the person's balance in a currency is positive. Each such
-- event gets one entry. Its subject is an expense that the person paid in such a currency or, if there is none, a
-- payment that the person sent.
CREATE OR REPLACE FUNCTION record_bank_account_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM record_update('event', owed.event_id, 'expense.updated', coalesce(owed.expense, owed.payment), CASE WHEN owed.expense IS NULL THEN 'payment' END)
     FROM (
       SELECT event_id, min(expense) AS expense, min(payment) AS payment
         FROM (
           SELECT event_id, currency, min(expense) AS expense, min(payment) AS payment, sum(amount_cents) AS given
             FROM (
               SELECT event_id, currency, id AS expense, NULL::bigint AS payment, amount_cents FROM expenses WHERE paid_by = NEW.id
               UNION ALL SELECT event_id, currency, NULL, id, amount_cents FROM expense_payments WHERE sender_id = NEW.id) entries
            GROUP BY event_id, currency) given
        WHERE given.given
              > (SELECT coalesce(sum(s.amount_cents), 0) FROM expenses x JOIN expense_shares s ON s.expense_id = x.id AND s.user_id = NEW.id
                  WHERE x.event_id = given.event_id AND x.currency = given.currency)
              + (SELECT coalesce(sum(y.amount_cents), 0) FROM expense_payments y
                  WHERE y.event_id = given.event_id AND y.currency = given.currency AND y.receiver_id = NEW.id)
        GROUP BY event_id) owed
    ORDER BY owed.event_id;
  RETURN NULL;
END $$;
