-- Records in the feed of changes that an event is new in the lists of all groups that are interested in it. The members
-- of these groups see the change. Each group has its own entry, because the row of the event does not refer to these
-- groups.
CREATE OR REPLACE FUNCTION record_listing(event bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM record_change('group', i.group_id, 'event.updated', event, 'listed') FROM group_interests i WHERE i.event_id = event ORDER BY i.group_id;
END $$;

-- Records in the feed of changes that a group has become interested in an event, or is no longer interested. The end of
-- an interest is not recorded if the group or the event is deleted or hidden.
CREATE OR REPLACE FUNCTION record_interest() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  organizer bigint;
  event_public boolean;
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM record_change('group', NEW.group_id, 'event.updated', NEW.event_id);
    PERFORM record_change('group', NEW.group_id, 'event.updated', NEW.event_id, 'listed');
    RETURN NULL;
  END IF;
  IF NOT EXISTS (SELECT FROM groups g WHERE g.id = OLD.group_id) THEN RETURN NULL; END IF;
  SELECT e.organizer_id, e.is_public INTO organizer, event_public FROM events e WHERE e.id = OLD.event_id;
  IF NOT FOUND THEN RETURN NULL; END IF;
  PERFORM record_change('group', OLD.group_id, 'event.updated', OLD.event_id);
  IF event_public THEN
    PERFORM record_event_gone_for_members(OLD.event_id, organizer, NULL, OLD.group_id);
  END IF;
  RETURN NULL;
END $$;
