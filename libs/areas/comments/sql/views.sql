-- The visible rows of the table (docs/adr/0021-out-of-sight.md). A new column of the table is appended to the end of
-- the list.
CREATE OR REPLACE VIEW comments AS
SELECT a.id, a.event_id, a.post_id, a.root_id, a.author_id, a.body, a.image_key, a.created_at, a.emptied
  FROM all_comments a
 WHERE a.removed_at IS NULL
   -- A removed comment hides its replies.
   AND NOT (a.root_id IS NOT NULL AND EXISTS (SELECT FROM all_comments r WHERE r.id = a.root_id AND r.removed_at IS NOT NULL OFFSET 0));
