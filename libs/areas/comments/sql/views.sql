-- The visible rows of all_comments (docs/adr/0021-out-of-sight.md). To show a new column of all_comments in this view,
-- append the column to the end of the list after SELECT.
CREATE OR REPLACE VIEW comments AS
SELECT a.id, a.event_id, a.post_id, a.root_id, a.author_id, a.body, a.image_key, a.created_at, a.emptied
  FROM all_comments a
 WHERE a.removed_at IS NULL
   -- A removed comment hides its replies. With OFFSET 0, PostgreSQL looks up the root comment of each reply in the
   -- index, and never scans the whole table.
   AND NOT (a.root_id IS NOT NULL AND EXISTS (SELECT FROM all_comments r WHERE r.id = a.root_id AND r.removed_at IS NOT NULL OFFSET 0));
