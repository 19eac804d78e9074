CREATE OR REPLACE FUNCTION record_series() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  CASE TG_OP
    WHEN 'INSERT' THEN PERFORM record_change('account', NEW.organizer_id, 'series.created', NEW.id);
    WHEN 'UPDATE' THEN PERFORM record_update('account', NEW.organizer_id, 'series.updated', NEW.id);
    ELSE PERFORM record_change('account', OLD.organizer_id, 'series.gone', OLD.id);
  END CASE;
  RETURN NULL;
END $$;

-- Records that a series was removed or restored, and that its occurrences are therefore hidden or visible again. If an
-- occurrence is hidden for another reason too (it was itself removed, or its organizer is banned), the occurrence stays
-- hidden, and nothing is recorded for it.
CREATE OR REPLACE FUNCTION record_visibility_of_series() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM record_change('account', NEW.organizer_id, CASE WHEN NEW.removed_at IS NULL THEN 'series.updated' ELSE 'series.gone' END, NEW.id);
  PERFORM record_visibility_of_event(e.id, NEW.removed_at IS NOT NULL) FROM all_events e
    WHERE e.series_id = NEW.id AND e.removed_at IS NULL
      AND (NEW.removed_at IS NOT NULL AND NOT is_out_by_ban(e) OR EXISTS (SELECT FROM events seen WHERE seen.id = e.id)) ORDER BY e.id;
  RETURN NULL;
END $$;
