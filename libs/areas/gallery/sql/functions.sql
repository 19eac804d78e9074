CREATE OR REPLACE FUNCTION record_visibility_of_gallery_photos() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM record_change('event', NEW.event_id, CASE WHEN NEW.removed_at IS NULL THEN 'photo.created' ELSE 'photo.gone' END, NEW.id);
  RETURN NULL;
END $$;
