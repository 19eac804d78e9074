-- Counts the public groups in each cell of the map. Groups that a moderator has removed are not counted. Cell -1 is for
-- groups without coordinates.
CREATE OR REPLACE FUNCTION count_group_in_cell() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  was integer := CASE WHEN TG_OP <> 'INSERT' AND OLD.is_public AND OLD.removed_at IS NULL THEN coalesce(OLD.cell, -1) END;
  becomes integer := CASE WHEN TG_OP <> 'DELETE' AND NEW.is_public AND NEW.removed_at IS NULL THEN coalesce(NEW.cell, -1) END;
  south double precision;
  west double precision;
  middle cube;
  change record;
BEGIN
  IF was IS NOT DISTINCT FROM becomes THEN RETURN NULL; END IF;
  -- Cells are updated in the order of their numbers, to prevent deadlocks between transactions that move groups between
  -- the same cells.
  FOR change IN SELECT * FROM (VALUES (was, -1), (becomes, 1)) v (cell, amount) WHERE v.cell IS NOT NULL ORDER BY v.cell LOOP
    UPDATE group_cells SET groups = groups + change.amount WHERE cell = change.cell;
    IF FOUND THEN CONTINUE; END IF;
    IF change.cell >= 0 THEN
      south := change.cell / 3600 / 10.0 - 90;
      west := change.cell % 3600 / 10.0 - 180;
      middle := f_on_sphere(south + 0.05, west + 0.05);
    END IF;
    INSERT INTO group_cells AS known (cell, centre, span, groups)
    VALUES (change.cell, middle,
            greatest(middle <-> f_on_sphere(south, west), middle <-> f_on_sphere(south + 0.1, west)) + 1e-12, change.amount)
    ON CONFLICT (cell) DO UPDATE SET groups = known.groups + change.amount;
  END LOOP;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION record_group() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM record_change('group', NEW.id, 'group.created', NEW.id, person_id => NEW.owner_id);
  ELSE
    PERFORM record_update('group', NEW.id, 'group.updated', NEW.id);
    -- An event shows its group only to people who see the group (EVT-31).
    IF OLD.is_public <> NEW.is_public THEN
      PERFORM record_update('event', e.id, 'event.updated', e.id) FROM events e WHERE e.group_id = NEW.id ORDER BY e.id;
    END IF;
  END IF;
  RETURN NULL;
END $$;

-- Records in the feed of changes that a group has a new owner.
CREATE OR REPLACE FUNCTION record_group_handover() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM record_update('group', NEW.id, 'group.updated', NEW.id);
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION record_member() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  member record := CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
  had_joined boolean := CASE WHEN TG_OP <> 'INSERT' THEN OLD.joined_at IS NOT NULL ELSE false END;
  has_joined boolean := CASE WHEN TG_OP <> 'DELETE' THEN NEW.joined_at IS NOT NULL ELSE false END;
BEGIN
  IF TG_OP = 'DELETE' THEN
    PERFORM record_change('account', member.user_id, 'group.gone', member.group_id);
    IF NOT EXISTS (SELECT FROM groups g WHERE g.id = member.group_id) THEN RETURN NULL; END IF;
  ELSIF TG_OP = 'INSERT' AND member.role = 'owner' THEN
    RETURN NULL;
  END IF;
  PERFORM record_change('group', member.group_id, CASE TG_OP WHEN 'INSERT' THEN 'member.created' WHEN 'UPDATE' THEN 'member.updated' ELSE 'member.gone' END,
    -- If `counted` is true, the number of members has changed, so everybody who sees the group gets `group.updated`.
    member.user_id, person_id => member.user_id, counted => had_joined <> has_joined);
  -- A person who gets a role in a private group starts to see it; a person who loses the role no longer sees it. The
  -- group then also appears on its events or disappears from them (EVT-31).
  IF TG_OP <> 'UPDATE' THEN
    PERFORM record_update('account', member.user_id, 'event.updated', e.id)
       FROM events e JOIN groups g ON g.id = e.group_id AND NOT g.is_public
       LEFT JOIN participations p ON p.event_id = e.id AND p.user_id = member.user_id
      WHERE e.group_id = member.group_id
        AND (e.organizer_id = member.user_id OR p.status IN ('confirmed', 'pending', 'waitlisted', 'requested')) ORDER BY e.id;
  END IF;
  RETURN NULL;
END $$;

-- Records in the feed of changes that a moderator has removed or restored a group. A removed group is hidden from its
-- members too.
CREATE OR REPLACE FUNCTION record_visibility_of_groups() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.removed_at IS NULL THEN
    PERFORM record_change('group', NEW.id, 'group.updated', NEW.id);
  ELSE
    PERFORM record_change('account', m.user_id, 'group.gone', NEW.id) FROM group_members m WHERE m.group_id = NEW.id ORDER BY m.user_id;
  END IF;
  PERFORM record_update('event', e.id, 'event.updated', e.id) FROM events e WHERE e.group_id = NEW.id ORDER BY e.id;
  RETURN NULL;
END $$;
