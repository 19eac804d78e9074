-- Records a new or deleted comment in the feed of changes, in the topic of the event or in the topic of the post's
-- author. The deletion of a root (the first comment of a thread) also records the deletion of its replies. If the post
-- is deleted or hidden, no change of the comment is recorded. If the event is deleted or hidden, the deletion of a
-- comment is not recorded.
CREATE OR REPLACE FUNCTION record_comment() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  this all_comments := CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
  root all_comments := this;
  author bigint;
  change_type text := CASE TG_OP WHEN 'INSERT' THEN 'comment.created' ELSE 'comment.gone' END;
BEGIN
  IF TG_OP = 'DELETE' THEN PERFORM record_comment_notices(this.id); END IF;
  IF this.root_id IS NOT NULL THEN
    SELECT * INTO root FROM all_comments c WHERE c.id = this.root_id;
    -- The root was deleted before this reply. The trigger on the root has already recorded the deletion of the reply.
    IF NOT FOUND THEN RETURN this; END IF;
  END IF;
  IF root.event_id IS NOT NULL THEN
    IF TG_OP = 'INSERT' OR EXISTS (SELECT FROM events e WHERE e.id = root.event_id) THEN
      PERFORM record_change('event', root.event_id, change_type, this.id);
      IF TG_OP = 'DELETE' AND this.root_id IS NULL THEN
        PERFORM record_change('event', root.event_id, change_type, c.id) FROM comments c WHERE c.root_id = this.id ORDER BY c.id;
      END IF;
    END IF;
    RETURN this;
  END IF;
  SELECT p.author_id INTO author FROM posts p WHERE p.id = root.post_id;
  IF NOT FOUND THEN RETURN this; END IF;
  PERFORM record_change('account', author, change_type, this.id, NULL, root.post_id);
  IF TG_OP = 'DELETE' AND this.root_id IS NULL THEN
    PERFORM record_change('account', author, change_type, c.id, NULL, root.post_id) FROM comments c WHERE c.root_id = this.id ORDER BY c.id;
  END IF;
  RETURN this;
END $$;

-- Records in the feed of changes that a comment has a new author (`comment.updated`).
CREATE OR REPLACE FUNCTION record_comment_handover() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  root record;
  author bigint;
BEGIN
  SELECT c.event_id, c.post_id INTO root FROM all_comments c WHERE c.id = coalesce(NEW.root_id, NEW.id);
  SELECT p.author_id INTO author FROM all_posts p WHERE p.id = root.post_id;
  PERFORM record_change(CASE WHEN root.event_id IS NULL THEN 'account' ELSE 'event' END, coalesce(root.event_id, author), 'comment.updated', NEW.id, NULL, root.post_id);
  RETURN NULL;
END $$;

-- Records in the feed of changes that a comment was removed or restored. This also changes the visibility of its
-- replies, so the replies that are not removed themselves are recorded too. Nothing is recorded for a reply whose root
-- is removed, because such a reply is hidden in any case.
CREATE OR REPLACE FUNCTION record_visibility_of_comments() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  change_type text := CASE WHEN NEW.removed_at IS NULL THEN 'comment.created' ELSE 'comment.gone' END;
  root record;
  author bigint;
BEGIN
  SELECT id, event_id, post_id, removed_at INTO root FROM all_comments WHERE id = coalesce(NEW.root_id, NEW.id);
  IF NEW.root_id IS NOT NULL AND root.removed_at IS NOT NULL THEN RETURN NULL; END IF;
  SELECT p.author_id INTO author FROM all_posts p WHERE p.id = root.post_id;
  PERFORM record_change(CASE WHEN root.event_id IS NULL THEN 'account' ELSE 'event' END, coalesce(root.event_id, author), change_type, c.id, NULL, root.post_id)
     FROM all_comments c WHERE c.id = NEW.id OR c.root_id = NEW.id AND c.removed_at IS NULL ORDER BY c.id;
  PERFORM record_comment_notices(c.id) FROM all_comments c WHERE c.id = NEW.id OR c.root_id = NEW.id AND c.removed_at IS NULL;
  RETURN NULL;
END $$;
