-- The visible rows of all_event_messages (docs/adr/0021-out-of-sight.md). A new column of all_event_messages must be
-- added at the end of this view's list of columns.
CREATE OR REPLACE VIEW event_messages AS
SELECT a.id, a.event_id, a.text, a.sent_to, a.recipients, a.created_at
  FROM all_event_messages a
 WHERE a.removed_at IS NULL
   -- With OFFSET 0, PostgreSQL looks up the event of each row in the index, and never scans the whole table.
   AND EXISTS (SELECT FROM events e WHERE e.id = a.event_id OFFSET 0);
