-- The visible rows of all_puls_posts (docs/adr/0021-out-of-sight.md). A new column of all_puls_posts must be added at
-- the end of this view's list of columns.
CREATE OR REPLACE VIEW puls_posts AS
SELECT a.id, a.author_id, a.body, a.image_key, a.video_key, a.latitude, a.longitude, a.place, a.location_name, a.likes_count, a.paid, a.created_at,
       a.expires_at
  FROM all_puls_posts a
 WHERE a.removed_at IS NULL
   -- The next condition is checked for very many rows. In this form the banned accounts are read only once.
   AND a.author_id NOT IN (SELECT u.id FROM users u WHERE is_banned(u.banned, u.banned_until));
