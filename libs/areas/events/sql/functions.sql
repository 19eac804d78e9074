-- Sets the columns calendar_sequence and cancelled_at. Runs before an update of the status, the times or the place of
-- an event, and before the insertion of a cancelled event (triggers.sql).
CREATE OR REPLACE FUNCTION events_calendar_sequence() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    NEW.calendar_sequence := OLD.calendar_sequence + 1;
    NEW.cancelled_at := CASE WHEN NEW.status = 'cancelled' THEN coalesce(OLD.cancelled_at, NEW.updated_at) END;
  ELSE
    NEW.cancelled_at := NEW.updated_at;
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE FUNCTION events_next_revision() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.revision := OLD.revision + 1;
  RETURN NEW;
END $$;

-- Whether the person sees a public event through a group that the person belongs to. The memberships in the event's
-- groups are locked until the transaction ends. Suppose that the person has two memberships and that two concurrent
-- transactions each end one of them: without the lock, each transaction would still find the other membership.
CREATE OR REPLACE FUNCTION has_event_by_group(event bigint, person bigint) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM group_members m
    WHERE m.user_id = person AND m.joined_at IS NOT NULL AND EXISTS (SELECT FROM groups g WHERE g.id = m.group_id)
      AND m.group_id IN (SELECT e.group_id FROM events e WHERE e.id = event UNION ALL SELECT i.group_id FROM group_interests i WHERE i.event_id = event)
      FOR KEY SHARE OF m;
  RETURN FOUND;
END $$;

-- Records in the feed of changes that group members no longer see a public event: the members of the group `one_group`
-- or, if `one_group` is null, the members of all groups of the event. Omits the organizer, and people who are
-- confirmed, invited, waitlisted or banned, or have asked to join. With `one_group`, also omits people who still see
-- the event through another group. `own_group` is the group to which the event belongs; it may be null.
CREATE OR REPLACE FUNCTION record_event_gone_for_members(event bigint, organizer bigint, own_group bigint, one_group bigint) RETURNS void LANGUAGE sql AS $$
  INSERT INTO unnumbered_changes (topic_kind, topic_id, type, subject_id, person_id, counted)
  SELECT DISTINCT 'account', m.user_id, 'event.gone', event, organizer, false
    FROM group_members m
   WHERE m.joined_at IS NOT NULL AND m.user_id <> organizer AND EXISTS (SELECT FROM groups g WHERE g.id = m.group_id)
     AND m.group_id IN (SELECT own_group WHERE one_group IS NULL UNION ALL SELECT i.group_id FROM group_interests i WHERE i.event_id = event AND one_group IS NULL
                        UNION ALL SELECT one_group)
     AND NOT EXISTS (SELECT FROM participations p WHERE p.event_id = event AND p.user_id = m.user_id
                        AND p.status IN ('confirmed', 'pending', 'waitlisted', 'requested', 'banned'))
     AND (one_group IS NULL OR NOT has_event_by_group(event, m.user_id))
$$;

CREATE OR REPLACE FUNCTION record_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM record_change('event', NEW.id, 'event.created', NEW.id, NULL, NEW.group_id, NEW.organizer_id);
    IF NEW.series_id IS NOT NULL THEN
      PERFORM record_update('account', NEW.organizer_id, 'series.updated', NEW.series_id);
    END IF;
    RETURN NULL;
  END IF;
  IF TG_OP = 'DELETE' THEN
    PERFORM record_change('account', OLD.organizer_id, 'event.gone', OLD.id, NULL, NULL, OLD.organizer_id);
    IF OLD.is_public THEN
      PERFORM record_event_gone_for_members(OLD.id, OLD.organizer_id, OLD.group_id, NULL);
    END IF;
    IF OLD.series_id IS NOT NULL THEN
      PERFORM record_update('account', OLD.organizer_id, 'series.updated', OLD.series_id);
      -- The other occurrences refer to the first occurrence, so they change when the first one is deleted.
      IF NOT EXISTS (SELECT FROM events e WHERE e.series_id = OLD.series_id AND e.series_index < OLD.series_index) THEN
        PERFORM record_update('event', e.id, 'event.updated', e.id) FROM events e WHERE e.series_id = OLD.series_id AND e.id <> OLD.id ORDER BY e.id;
      END IF;
    END IF;
    RETURN OLD;
  END IF;
  IF NEW.status = 'cancelled' AND OLD.status <> 'cancelled' THEN
    PERFORM record_change('event', NEW.id, 'event.cancelled', NEW.id);
  ELSE
    PERFORM record_update('event', NEW.id, 'event.updated', NEW.id);
  END IF;
  IF OLD.is_public AND NOT NEW.is_public THEN
    PERFORM record_event_gone_for_members(NEW.id, NEW.organizer_id, OLD.group_id, NULL);
  ELSIF NEW.is_public AND NOT OLD.is_public THEN
    PERFORM record_listing(NEW.id);
  END IF;
  IF NEW.series_id IS NOT NULL AND (OLD.status, OLD.starts_at) IS DISTINCT FROM (NEW.status, NEW.starts_at) THEN
    PERFORM record_update('account', NEW.organizer_id, 'series.updated', NEW.series_id);
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION record_event_handover() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM record_update('event', NEW.id, 'event.updated', NEW.id);
  RETURN NULL;
END $$;

-- For a row that belongs to an event (for example a ticket), records the insertion, update or deletion of this row in
-- the feed of changes. The deletion of a row is not recorded in two cases: the event is deleted too, or the event is
-- hidden (by a removal, or by a ban of the organizer's account).
CREATE OR REPLACE FUNCTION record_part_of_event() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  part record := CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
  change_type text := TG_ARGV[0] || CASE TG_OP WHEN 'INSERT' THEN '.created' WHEN 'UPDATE' THEN '.updated' ELSE '.gone' END;
BEGIN
  IF TG_OP = 'DELETE' AND NOT EXISTS (SELECT FROM events e WHERE e.id = part.event_id) THEN RETURN NULL; END IF;
  CASE TG_TABLE_NAME
    WHEN 'tickets' THEN PERFORM record_change('event', part.event_id, change_type, part.id, part.code);
    WHEN 'itineraries' THEN PERFORM record_change('event', part.event_id, change_type, part.event_id);
    -- Payments have no type of change of their own. A payment is recorded as a change of the expense list.
    WHEN 'expense_payments' THEN PERFORM record_change('event', part.event_id, 'expense.updated', part.id, 'payment');
    ELSE PERFORM record_change('event', part.event_id, change_type, part.id);
  END CASE;
  RETURN NULL;
END $$;

-- Whether the event is hidden because the account of its organizer is banned. As in the view `events`, such a ban hides
-- only active events that are not over.
CREATE OR REPLACE FUNCTION is_out_by_ban(event all_events) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT event.status = 'active' AND event.over_at > now() AND EXISTS (SELECT FROM users u WHERE u.id = event.organizer_id AND is_banned(u.banned, u.banned_until))
$$;

-- Records in the feed of changes that an event has been hidden by its removal or by a ban of its organizer's account
-- (`gone` is true), or that the event is visible again (`gone` is false).
CREATE OR REPLACE FUNCTION record_visibility_of_event(event bigint, gone boolean) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  hidden record;
BEGIN
  -- The field `event` of a post about this event is set only while the event is visible.
  PERFORM record_update('account', p.author_id, 'post.updated', p.id, p.slug) FROM posts p WHERE p.event_id = event ORDER BY p.id;
  -- Notices show the text of a message only while the event is visible.
  PERFORM record_message_notices(m.id) FROM all_event_messages m WHERE m.event_id = event AND m.removed_at IS NULL ORDER BY m.id;
  PERFORM record_notices_about_comments(event, NULL);
  IF NOT gone THEN
    PERFORM record_change('event', event, 'event.updated', event);
    PERFORM record_listing(event);
    RETURN;
  END IF;
  SELECT organizer_id, is_public, group_id INTO hidden FROM all_events WHERE id = event;
  PERFORM record_change('account', hidden.organizer_id, 'event.gone', event, NULL, NULL, hidden.organizer_id);
  PERFORM record_change('account', p.user_id, 'event.gone', event, NULL, NULL, hidden.organizer_id)
     FROM participations p WHERE p.event_id = event AND p.status IN ('confirmed', 'pending', 'waitlisted', 'requested') ORDER BY p.user_id;
  IF hidden.is_public THEN
    PERFORM record_event_gone_for_members(event, hidden.organizer_id, hidden.group_id, NULL);
  END IF;
END $$;

-- Records in the feed of changes that an event was removed or restored. If the event is hidden for another reason too
-- (its series is removed, or its organizer is banned), the event stays hidden, and nothing is recorded.
CREATE OR REPLACE FUNCTION record_visibility_of_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.removed_at IS NOT NULL AND NOT is_out_by_ban(NEW) AND NOT EXISTS (SELECT FROM all_series s WHERE s.id = NEW.series_id AND s.removed_at IS NOT NULL) OR EXISTS (SELECT FROM events e WHERE e.id = NEW.id) THEN
    PERFORM record_visibility_of_event(NEW.id, NEW.removed_at IS NOT NULL);
    IF NEW.series_id IS NOT NULL THEN
      PERFORM record_update('account', NEW.organizer_id, 'series.updated', NEW.series_id);
      IF NOT EXISTS (SELECT FROM events e WHERE e.series_id = NEW.series_id AND e.series_index < NEW.series_index) THEN
        PERFORM record_update('event', e.id, 'event.updated', e.id) FROM events e WHERE e.series_id = NEW.series_id AND e.id <> NEW.id ORDER BY e.id;
      END IF;
    END IF;
  END IF;
  RETURN NULL;
END $$;
