-- Whether the file with the key `file` belongs to content that was removed or that is hidden for another reason, for
-- example because the event of the content was removed. Each file belongs to one object.
CREATE OR REPLACE FUNCTION media_out_of_sight(file text) RETURNS boolean LANGUAGE plpgsql STABLE STRICT AS $$
BEGIN
  RETURN EXISTS (SELECT FROM event_images i WHERE i.key = file AND NOT EXISTS (SELECT FROM events e WHERE e.id = i.event_id))
    OR EXISTS (SELECT FROM all_groups a WHERE a.removed_at IS NOT NULL AND a.avatar_key = file)
    OR EXISTS (SELECT FROM all_groups a WHERE a.removed_at IS NOT NULL AND a.cover_key = file)
    OR EXISTS (SELECT FROM all_posts a WHERE a.cover_key = file AND NOT EXISTS (SELECT FROM posts p WHERE p.id = a.id))
    OR EXISTS (SELECT FROM all_puls_posts a WHERE file IN (a.image_key, a.video_key) AND NOT EXISTS (SELECT FROM puls_posts p WHERE p.id = a.id))
    OR EXISTS (SELECT FROM all_gallery_photos a WHERE a.key = file AND
         (a.removed_at IS NOT NULL OR NOT EXISTS (SELECT FROM events e WHERE e.id = a.event_id)))
    OR EXISTS (SELECT FROM all_comments a LEFT JOIN all_comments root ON root.id = a.root_id WHERE a.image_key = file AND
         (NOT EXISTS (SELECT FROM comments c WHERE c.id = a.id)
          OR coalesce(root.event_id, a.event_id) IS NOT NULL AND NOT EXISTS (SELECT FROM events e WHERE e.id = coalesce(root.event_id, a.event_id))
          OR coalesce(root.post_id, a.post_id) IS NOT NULL AND NOT EXISTS (SELECT FROM posts p WHERE p.id = coalesce(root.post_id, a.post_id))));
END $$;
