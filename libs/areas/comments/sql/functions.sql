CREATE OR REPLACE FUNCTION tell_comment() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  said all_comments := CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
  root all_comments := said;
  author bigint;
  what text := CASE TG_OP WHEN 'INSERT' THEN 'comment.created' ELSE 'comment.gone' END;
BEGIN
  IF said.root_id IS NOT NULL THEN
    SELECT * INTO root FROM all_comments c WHERE c.id = said.root_id;
    -- The root was deleted first and is recorded already.
    IF NOT FOUND THEN RETURN said; END IF;
  END IF;
  IF root.event_id IS NOT NULL THEN
    IF TG_OP = 'INSERT' OR EXISTS (SELECT FROM events e WHERE e.id = root.event_id) THEN
      PERFORM record_change('event', root.event_id, what, said.id);
      IF TG_OP = 'DELETE' AND said.root_id IS NULL THEN
        PERFORM record_change('event', root.event_id, what, c.id) FROM comments c WHERE c.root_id = said.id ORDER BY c.id;
      END IF;
    END IF;
    RETURN said;
  END IF;
  SELECT p.author_id INTO author FROM posts p WHERE p.id = root.post_id;
  IF NOT FOUND THEN RETURN said; END IF;
  PERFORM record_change('account', author, what, said.id, NULL, root.post_id);
  IF TG_OP = 'DELETE' AND said.root_id IS NULL THEN
    PERFORM record_change('account', author, what, c.id, NULL, root.post_id) FROM comments c WHERE c.root_id = said.id ORDER BY c.id;
  END IF;
  RETURN said;
END $$;

CREATE OR REPLACE FUNCTION tell_comment_of_another() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  root record;
  author bigint;
BEGIN
  SELECT c.event_id, c.post_id INTO root FROM all_comments c WHERE c.id = coalesce(NEW.root_id, NEW.id);
  SELECT p.author_id INTO author FROM all_posts p WHERE p.id = root.post_id;
  PERFORM record_change(CASE WHEN root.event_id IS NULL THEN 'account' ELSE 'event' END, coalesce(root.event_id, author), 'comment.updated', NEW.id, NULL, root.post_id);
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION tell_sight_of_comments() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  what text := CASE WHEN NEW.removed_at IS NULL THEN 'comment.created' ELSE 'comment.gone' END;
  root record;
  author bigint;
BEGIN
  SELECT id, event_id, post_id, removed_at INTO root FROM all_comments WHERE id = coalesce(NEW.root_id, NEW.id);
  IF NEW.root_id IS NOT NULL AND root.removed_at IS NOT NULL THEN RETURN NULL; END IF;
  SELECT p.author_id INTO author FROM all_posts p WHERE p.id = root.post_id;
  PERFORM record_change(CASE WHEN root.event_id IS NULL THEN 'account' ELSE 'event' END, coalesce(root.event_id, author), what, c.id, NULL, root.post_id)
     FROM all_comments c WHERE c.id = NEW.id OR c.root_id = NEW.id AND c.removed_at IS NULL ORDER BY c.id;
  RETURN NULL;
END $$;
