-- The visible rows of all_gallery_photos (docs/adr/0021-out-of-sight.md). A new column of all_gallery_photos must be
-- added at the end of this view's list of columns.
CREATE OR REPLACE VIEW gallery_photos AS
SELECT a.id, a.event_id, a.author_id, a.key, a.width, a.height, a.created_at
  FROM all_gallery_photos a
 WHERE a.removed_at IS NULL;
