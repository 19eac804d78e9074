-- The number of a person's requests to join that the organizer can still answer, at most `at_most` (null: no limit).
-- These are requests (status `requested`; `pending` means invited) for visible events that are active and not over.
CREATE OR REPLACE FUNCTION f_pending_requests(requester bigint, at_most bigint) RETURNS integer LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (SELECT count(*) FROM (
    SELECT FROM participations r
     WHERE r.user_id = requester AND r.status = 'requested' AND EXISTS (SELECT FROM events e WHERE e.id = r.event_id AND e.status = 'active' AND e.over_at > now())
     LIMIT at_most) pending);
END $$;

-- Numbers a new entry of the waitlist. Every transaction that adds an entry has locked the event, so two transactions
-- cannot give the same number.
CREATE OR REPLACE FUNCTION number_waitlist_entry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.waitlist_number := (SELECT coalesce(max(p.waitlist_number), 0) + 1 FROM participations p WHERE p.event_id = NEW.event_id AND p.status = 'waitlisted');
  RETURN NEW;
END $$;

-- Adds a change to the feed of changes: everybody behind the waitlist number `place` moves up. If `place` is null,
-- everybody on the waitlist moves up. A transaction adds at most one such change for each event, and none if nobody
-- moves up. Only the people who move up see the change (libs/areas/changes/visibility/visible-change.ts).
CREATE OR REPLACE FUNCTION record_moving_up(event bigint, place integer) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM participations p WHERE p.event_id = event AND p.status = 'waitlisted' AND p.waitlist_number > coalesce(place, 0)) THEN
    RETURN;
  END IF;
  UPDATE unnumbered_changes c SET parent_id = least(c.parent_id, coalesce(place, 0))
   WHERE c.xid = pg_current_xact_id() AND c.topic_kind = 'event' AND c.topic_id = event AND c.subject_text = 'waitlist';
  IF NOT FOUND THEN
    INSERT INTO unnumbered_changes (topic_kind, topic_id, type, subject_id, subject_text, parent_id, counted)
    VALUES ('event', event, 'event.updated', event, 'waitlist', coalesce(place, 0), false);
  END IF;
END $$;

-- Records changes of a participation in the feed of changes (CHG-3). `was_in` and `is_in`: whether the person's
-- status was or is `confirmed`, `pending` (invited), `waitlisted` or `requested`.
CREATE OR REPLACE FUNCTION record_participation() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  event bigint := CASE WHEN TG_OP = 'DELETE' THEN OLD.event_id ELSE NEW.event_id END;
  person bigint := CASE WHEN TG_OP = 'DELETE' THEN OLD.user_id ELSE NEW.user_id END;
  was text := CASE WHEN TG_OP <> 'INSERT' THEN OLD.status END;
  becomes text := CASE WHEN TG_OP <> 'DELETE' THEN NEW.status END;
  was_in boolean := coalesce(was IN ('confirmed', 'pending', 'waitlisted', 'requested'), false);
  is_in boolean := coalesce(becomes IN ('confirmed', 'pending', 'waitlisted', 'requested'), false);
  event_organizer bigint;
  event_public boolean;
BEGIN
  IF is_in THEN
    INSERT INTO unnumbered_changes (topic_kind, topic_id, type, subject_id, person_id, counted, by_id)
    VALUES ('event', event, CASE WHEN becomes = 'confirmed' AND was IS DISTINCT FROM 'confirmed' THEN 'participant.joined'
                                 WHEN TG_OP = 'INSERT' THEN 'participant.created' ELSE 'participant.updated' END,
      person, CASE WHEN was IS DISTINCT FROM becomes THEN person END, (becomes = 'confirmed') <> (was IS NOT DISTINCT FROM 'confirmed'), acting_account());
    -- An offer was made, accepted or ended, so the person's own view of the event has changed.
    IF TG_OP = 'UPDATE' AND OLD.offer_expires_at IS DISTINCT FROM NEW.offer_expires_at THEN
      PERFORM record_change('account', person, 'event.updated', event);
      IF becomes = 'confirmed' THEN
        PERFORM record_change('event', event, 'participant.updated', person);
      END IF;
    END IF;
    RETURN NULL;
  END IF;
  SELECT e.organizer_id, e.is_public INTO event_organizer, event_public FROM events e WHERE e.id = event;
  IF NOT FOUND THEN
    -- The event was deleted or is hidden (view `events`).
    IF was_in THEN PERFORM record_change('account', person, 'event.gone', event); END IF;
    RETURN NULL;
  END IF;
  PERFORM record_change('event', event, CASE TG_OP WHEN 'DELETE' THEN 'participant.gone' WHEN 'INSERT' THEN 'participant.created' ELSE 'participant.updated' END,
    person, NULL, NULL, NULL, was IS NOT DISTINCT FROM 'confirmed');
  IF was IS NOT DISTINCT FROM 'waitlisted' THEN
    PERFORM record_moving_up(event, OLD.waitlist_number);
  END IF;
  -- The feed of the person no longer contains the event, unless the event is public and linked with a group of the
  -- person. A person who is banned from the event does not see it through a group either.
  IF becomes IS NOT DISTINCT FROM 'banned' THEN
    IF was_in OR was IS DISTINCT FROM 'banned' AND event_public AND has_event_by_group(event, person) THEN
      PERFORM record_change('account', person, 'event.gone', event, NULL, NULL, event_organizer);
    END IF;
  ELSIF was_in AND NOT (event_public AND has_event_by_group(event, person)) THEN
    PERFORM record_change('account', person, 'event.gone', event, NULL, NULL, event_organizer);
  ELSIF was = 'banned' AND event_public AND has_event_by_group(event, person) THEN
    -- The ban from the event has ended, and the person sees the event again through a group.
    PERFORM record_change('account', person, 'event.updated', event);
  ELSIF was_in THEN
    -- The person left, but a group still shows the event: the viewer-specific part of the event has changed.
    PERFORM record_change('account', person, 'event.updated', event);
  END IF;
  RETURN NULL;
END $$;

-- Records in the feed of changes that an erasure has assigned the participation to a pseudonym.
CREATE OR REPLACE FUNCTION record_seat_handover() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM record_change('event', NEW.event_id, 'participant.updated', NEW.user_id, counted => NEW.status = 'confirmed');
  RETURN NULL;
END $$;

-- Deletes the scans and check-ins of a participant at the door, because the check-in code was changed or removed.
CREATE OR REPLACE FUNCTION forget_door_marks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM door_marks WHERE event_id = OLD.event_id AND user_id = OLD.user_id;
  RETURN NULL;
END $$;

-- When an account is banned, deletes the door links of all events that the account organizes. So these links stay
-- invalid after the ban has ended.
CREATE OR REPLACE FUNCTION end_door_links() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM door_links WHERE event_id IN (SELECT id FROM all_events WHERE organizer_id = NEW.id);
  RETURN NULL;
END $$;

-- Counts people who became or ceased to be confirmed or waitlisted, for the statistics of the event.
CREATE OR REPLACE FUNCTION count_participation() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  event bigint := CASE WHEN TG_OP = 'DELETE' THEN OLD.event_id ELSE NEW.event_id END;
  was text := CASE WHEN TG_OP <> 'INSERT' THEN OLD.status ELSE '' END;
  becomes text := CASE WHEN TG_OP <> 'DELETE' THEN NEW.status ELSE '' END;
BEGIN
  IF becomes = 'confirmed' THEN PERFORM count_event_day(event, 'joined', 1); END IF;
  IF was = 'confirmed' THEN PERFORM count_event_day(event, 'left', 1); END IF;
  IF becomes = 'waitlisted' THEN PERFORM count_event_day(event, 'waitlist_joined', 1); END IF;
  IF was = 'waitlisted' THEN
    PERFORM count_event_day(event, CASE becomes WHEN 'confirmed' THEN 'waitlist_promoted' ELSE 'waitlist_left' END, 1);
  END IF;
  RETURN NULL;
END $$;
