-- The visible rows of all_groups (docs/adr/0021-out-of-sight.md). To add a column of all_groups to this view, append
-- the column to the end of the list after SELECT: CREATE OR REPLACE VIEW accepts new columns only there.
CREATE OR REPLACE VIEW groups AS
SELECT a.id, a.owner_id, a.name, a.description, a.is_public, a.location_name, a.latitude, a.longitude, a.place, a.cell, a.members_count,
       a.avatar_key, a.cover_key, a.invite_code, a.created_at, a.updated_at, a.version
  FROM all_groups a
 WHERE a.removed_at IS NULL;
