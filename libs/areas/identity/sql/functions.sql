-- Whether an account with these values is banned now. A temporary ban ends at `banned_until`, although `banned` stays
-- true until the job `bans-lift` resets it. PostgreSQL expands this function where a statement calls it, so the index of
-- the banned accounts can be used.
CREATE OR REPLACE FUNCTION is_banned(banned boolean, banned_until timestamptz) RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT banned AND (banned_until IS NULL OR banned_until > now())
$$;

-- Records in the feed of changes that a ban has hidden the posts and events of a person, or that they are visible
-- again.
CREATE OR REPLACE FUNCTION record_visibility_of_person() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Posts are recorded first: record_visibility_of_event records the posts about an event too, except those that this
  -- transaction has already recorded.
  PERFORM record_change('account', NEW.id, CASE WHEN NEW.banned THEN 'post.gone' ELSE 'post.updated' END, p.id, p.slug)
     FROM all_posts p WHERE p.author_id = NEW.id AND p.removed_at IS NULL ORDER BY p.id;
  PERFORM record_notices_about_comments(NULL, p.id) FROM all_posts p WHERE p.author_id = NEW.id AND p.removed_at IS NULL ORDER BY p.id;
  PERFORM record_visibility_of_event(e.id, NEW.banned) FROM all_events e LEFT JOIN all_series s ON s.id = e.series_id
    WHERE e.organizer_id = NEW.id AND e.status = 'active' AND e.over_at > now() AND e.removed_at IS NULL AND s.removed_at IS NULL ORDER BY e.id;
  -- A ban does not hide the ended and cancelled events of a series. But each of these events refers to the first event
  -- of the series, and a ban can hide the first event.
  PERFORM record_update('event', e.id, 'event.updated', e.id) FROM events e
    WHERE e.organizer_id = NEW.id AND e.series_id IS NOT NULL AND (e.status <> 'active' OR e.over_at <= now())
      AND (SELECT f.id <> e.id AND f.status = 'active' AND f.over_at > now() FROM all_events f
            WHERE f.series_id = e.series_id AND f.removed_at IS NULL ORDER BY f.series_index LIMIT 1) ORDER BY e.id;
  RETURN NULL;
END $$;
