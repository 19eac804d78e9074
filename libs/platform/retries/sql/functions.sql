-- Claims an idempotency key for some seconds, or returns the stored response. If another request holds a claim that has
-- not expired, and no response is stored yet, `claimed` is false and `answer` is null.
CREATE OR REPLACE FUNCTION claim_request(account bigint, key text, claimant text, seconds integer, OUT answer text, OUT claimed boolean) RETURNS record LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO request_claims AS held (account_id, key_hash, holder, until)
    VALUES (account, key, claimant, clock_timestamp() + make_interval(secs => seconds))
    ON CONFLICT (account_id, key_hash) DO UPDATE SET holder = excluded.holder, until = excluded.until WHERE held.until < clock_timestamp();
  claimed := FOUND;
  -- Each statement of a volatile function sees all transactions that were committed before this statement.
  SELECT kept.answer INTO answer FROM kept_answers kept WHERE kept.account_id = account AND kept.key_hash = key;
  IF FOUND AND claimed THEN
    DELETE FROM request_claims held WHERE held.account_id = account AND held.key_hash = key AND held.holder = claimant;
    claimed := false;
  END IF;
END $$;
