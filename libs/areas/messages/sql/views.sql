-- The visible rows of all_event_messages (docs/adr/0021-out-of-sight.md). A new column of all_event_messages must be
-- added at the end of this view's list of columns.
CREATE OR REPLACE VIEW event_messages AS
SELECT a.id, a.event_id, a.text, a.sent_to, a.recipients, a.created_at
  FROM all_event_messages a
 WHERE a.removed_at IS NULL
   AND EXISTS (SELECT FROM events e WHERE e.id = a.event_id OFFSET 0);
