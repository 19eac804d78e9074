-- Records in the feed of changes that a post was created, changed or deleted.
CREATE OR REPLACE FUNCTION record_post() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  CASE TG_OP
    WHEN 'INSERT' THEN PERFORM record_change('account', NEW.author_id, 'post.created', NEW.id, NEW.slug);
    WHEN 'UPDATE' THEN PERFORM record_update('account', NEW.author_id, 'post.updated', NEW.id, NEW.slug);
    ELSE PERFORM record_change('account', OLD.author_id, 'post.gone', OLD.id, OLD.slug);
  END CASE;
  RETURN NULL;
END $$;

-- Records in the feed of changes that a moderator has removed a post or made it visible again. This also changes the
-- notices about comments on the post.
CREATE OR REPLACE FUNCTION record_visibility_of_posts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM record_change('account', NEW.author_id, CASE WHEN NEW.removed_at IS NULL THEN 'post.updated' ELSE 'post.gone' END, NEW.id, NEW.slug);
  PERFORM record_notices_about_comments(NULL, NEW.id);
  RETURN NULL;
END $$;
