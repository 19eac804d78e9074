-- Counts an open request of the account and returns NULL. If the account's number of open requests of this kind has
-- reached the maximum (`most`), counts nothing and returns the number of seconds (at least 1) until the first row of
-- these requests expires (column `until`).
CREATE OR REPLACE FUNCTION take_change_hold(hold uuid, account bigint, held_kind text, most integer, seconds integer) RETURNS integer LANGUAGE plpgsql AS $$
BEGIN
  -- The second key of the lock has 32 bits, but an id has 64. So two accounts may have the same key. The only
  -- effect is that a request of one account waits until a request of the other account has released the lock.
  PERFORM pg_advisory_xact_lock(hashtext('change_holds'), (account % 2147483648)::integer);
  DELETE FROM change_holds h WHERE h.account_id = account AND h.until < clock_timestamp();
  IF (SELECT count(*) FROM change_holds h WHERE h.account_id = account AND h.kind = held_kind) >= most THEN
    RETURN (SELECT greatest(1, ceil(extract(epoch FROM min(h.until) - clock_timestamp())))::integer FROM change_holds h WHERE h.account_id = account AND h.kind = held_kind);
  END IF;
  INSERT INTO change_holds (id, account_id, kind, until) VALUES (hold, account, held_kind, clock_timestamp() + make_interval(secs => seconds));
  RETURN NULL;
END $$;
