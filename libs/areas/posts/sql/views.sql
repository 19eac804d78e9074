-- The visible rows of all_posts (docs/adr/0021-out-of-sight.md). A new column of all_posts must be added at the end of
-- this view's list of columns.
CREATE OR REPLACE VIEW posts AS
SELECT a.id, a.author_id, a.event_id, a.slug, a.title, a.excerpt, a.body, a.categories, a.location, a.status, a.cover_key, a.published_at,
       a.created_at, a.updated_at, a.version
  FROM all_posts a
 WHERE a.removed_at IS NULL
   AND NOT EXISTS (SELECT FROM users u WHERE u.id = a.author_id AND is_banned(u.banned, u.banned_until) OFFSET 0);
