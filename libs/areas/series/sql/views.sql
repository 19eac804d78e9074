-- The rows of all_series that are not removed (docs/adr/0021-out-of-sight.md). A new column of all_series is appended
-- to the end of this view's list of columns.
CREATE OR REPLACE VIEW series AS
SELECT a.id, a.organizer_id, a.starts_at, a.frequency, a."interval", a.until, a.occurrences_limit, a.duration_minutes, a.template, a.generated,
       a.next_start, a.cancelled_at, a.created_at, a.updated_at, a.version
  FROM all_series a
 WHERE a.removed_at IS NULL;
