-- Copies changes of an event to the event's row in live_events. Inserts or deletes this row when the event becomes
-- listable or is no longer listable.
CREATE OR REPLACE FUNCTION live_events_follow() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- For one organizer, this function and live_events_of_person (which runs when the organizer's account is banned or
  -- unbanned) never run at the same time: the later call waits until the transaction of the earlier call ends. The key
  -- of a lock has only 32 bits, so the lock uses the id modulo 2^31.
  PERFORM pg_advisory_xact_lock_shared(185, (NEW.organizer_id % 2147483648)::integer);
  IF NOT EXISTS (SELECT FROM listable_events WHERE id = NEW.id) THEN
    DELETE FROM live_events WHERE id = NEW.id;
    RETURN NULL;
  END IF;
  INSERT INTO live_events SELECT * FROM listable_events WHERE id = NEW.id
  ON CONFLICT (id) DO UPDATE SET
    (starts_at, over_at, boosted_until, organizer_id, type, imported, seeking, participants, x, y, z, cell, folded, free, group_id, series_id, latitude, longitude, created_at, folded_text) =
    (EXCLUDED.starts_at, EXCLUDED.over_at, EXCLUDED.boosted_until, EXCLUDED.organizer_id, EXCLUDED.type, EXCLUDED.imported, EXCLUDED.seeking,
     EXCLUDED.participants, EXCLUDED.x, EXCLUDED.y, EXCLUDED.z, EXCLUDED.cell, EXCLUDED.folded,
     EXCLUDED.free, EXCLUDED.group_id, EXCLUDED.series_id, EXCLUDED.latitude, EXCLUDED.longitude, EXCLUDED.created_at, EXCLUDED.folded_text);
  RETURN NULL;
END $$;

-- Copies the number of participants of an event, including the organizer, to live_events.
CREATE OR REPLACE FUNCTION live_events_participants() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE live_events SET participants = NEW.confirmed_count + 1 WHERE id = NEW.id;
  RETURN NULL;
END $$;

-- Runs when a series is removed or restored. Deletes the occurrences of a removed series from live_events, and inserts
-- the listable occurrences of a restored series.
CREATE OR REPLACE FUNCTION live_events_of_series() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM live_events WHERE NEW.removed_at IS NOT NULL AND id IN (SELECT id FROM all_events WHERE series_id = NEW.id);
  INSERT INTO live_events SELECT l.* FROM listable_events l JOIN all_events e ON e.id = l.id WHERE e.series_id = NEW.id ON CONFLICT (id) DO NOTHING;
  RETURN NULL;
END $$;

-- Runs when the ban of an account begins, changes or ends. Deletes the events of a banned account from live_events, and
-- then inserts the account's events that are listable. About the lock, see live_events_follow.
CREATE OR REPLACE FUNCTION live_events_of_person() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(185, (NEW.id % 2147483648)::integer);
  DELETE FROM live_events WHERE NEW.banned AND organizer_id = NEW.id;
  INSERT INTO live_events SELECT * FROM listable_events WHERE organizer_id = NEW.id ON CONFLICT (id) DO NOTHING;
  RETURN NULL;
END $$;

-- Records changes of live_events for the totals (docs/adr/0007-totals.md). The conditions of the triggers in
-- triggers.sql select the changes that are recorded.
CREATE OR REPLACE FUNCTION record_live_event_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    INSERT INTO live_event_changes (sign, over_at, starts_at, type, imported, seeking, participants, x, y, z, cell, folded, id, organizer_id,
      free, group_id, series_id, latitude, longitude, folded_text)
    VALUES (-1, OLD.over_at, OLD.starts_at, OLD.type, OLD.imported, OLD.seeking, OLD.participants, OLD.x, OLD.y, OLD.z, OLD.cell, OLD.folded, OLD.id, OLD.organizer_id,
      OLD.free, OLD.group_id, OLD.series_id, OLD.latitude, OLD.longitude, OLD.folded_text);
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO live_event_changes (sign, over_at, starts_at, type, imported, seeking, participants, x, y, z, cell, folded, id, organizer_id,
      free, group_id, series_id, latitude, longitude, folded_text)
    VALUES (1, NEW.over_at, NEW.starts_at, NEW.type, NEW.imported, NEW.seeking, NEW.participants, NEW.x, NEW.y, NEW.z, NEW.cell, NEW.folded, NEW.id, NEW.organizer_id,
      NEW.free, NEW.group_id, NEW.series_id, NEW.latitude, NEW.longitude, NEW.folded_text);
  END IF;
  RETURN NULL;
END $$;

-- Runs when someone blocks or unblocks a person, or when a person's ban from an event begins or ends. Records this
-- person. The events that are hidden from the person are then counted again (docs/adr/0007-totals.md).
CREATE OR REPLACE FUNCTION record_hidden_from_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME = 'user_blocks' THEN
    INSERT INTO hidden_from_changes (user_id) VALUES (CASE WHEN TG_OP = 'DELETE' THEN OLD.blocked_id ELSE NEW.blocked_id END);
  ELSE
    INSERT INTO hidden_from_changes (user_id) VALUES (CASE WHEN TG_OP = 'DELETE' THEN OLD.user_id ELSE NEW.user_id END);
  END IF;
  RETURN NULL;
END $$;

-- Returns the number of events that are listed at the time $2 and contain the text $1. The number is computed from
-- stored counts, which exist only for texts of one or two characters. Returns NULL for other texts.
CREATE OR REPLACE FUNCTION f_gram_total(text, timestamp with time zone) RETURNS bigint LANGUAGE plpgsql STABLE STRICT AS $$
DECLARE
  asked text := f_fold_words($1);
  part text := '%' || asked || '%';
BEGIN
  IF asked !~ '^[^ ]{1,2}$' OR asked <> f_fold_text($1) THEN
    RETURN NULL;
  END IF;
  RETURN coalesce((SELECT events FROM live_grams g WHERE g.gram = asked), 0)
    + coalesce((SELECT sum(sign) FROM live_event_changes c WHERE NOT c.counted_in AND c.folded LIKE part), 0)
    - (SELECT count(*) FROM (SELECT folded FROM live_events WHERE over_at <= $2 OFFSET 0) l WHERE l.folded LIKE part);
END $$;

-- Recounts the words and the grams (f_grams) of all listed events.
CREATE OR REPLACE FUNCTION live_words_recount() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  LOCK TABLE live_event_changes, live_words, live_grams IN EXCLUSIVE MODE;
  DELETE FROM live_words;
  DELETE FROM live_grams;
  UPDATE live_event_changes SET counted_in = true WHERE NOT counted_in;
  INSERT INTO live_words (word, events)
  SELECT word, count(*) FROM live_events, LATERAL (SELECT DISTINCT left(w, 100) AS word FROM unnest(string_to_array(folded, ' ')) AS w WHERE w <> '') w GROUP BY word;
  INSERT INTO live_grams (gram, events)
  SELECT gram, sum(n) FROM (SELECT count(*) AS n, folded FROM live_events GROUP BY folded) texts, unnest(f_grams(folded)) AS gram GROUP BY gram;
END $$;
