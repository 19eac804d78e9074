-- Data that bench/discover/seed.sql does not create: many participants and comments of one event, Puls posts, groups.
SET synchronous_commit = off;
SET jit = off;
SELECT setseed(0.42);
-- An event with 10,000 participants. $CROWD is replaced by its id.
UPDATE events SET max_participants = NULL, organizer_id = $HEAVY, is_public = true, status = 'active', join_mode = 'open', starts_at = now() + interval '90 days', ends_at = NULL WHERE id = $CROWD;
INSERT INTO participations (event_id, user_id, status, joined_at, created_at, updated_at)
SELECT $CROWD, id, 'confirmed', now() - id * interval '1 second', now(), now() FROM users WHERE id <> $HEAVY AND id > 1000 ORDER BY id LIMIT 10000 ON CONFLICT DO NOTHING;
UPDATE events SET confirmed_count = (SELECT count(*) FROM participations WHERE event_id = $CROWD AND status = 'confirmed') WHERE id = $CROWD;
INSERT INTO comments (event_id, author_id, body, created_at) SELECT $CROWD, 1 + n % 1000, repeat('Těším se. ', 5), now() FROM generate_series(1, 2000) n;
INSERT INTO comments (root_id, author_id, body, created_at) SELECT id, 1 + id % 1000, 'Já taky.', now() FROM comments WHERE event_id = $CROWD;
INSERT INTO puls_posts (author_id, body, latitude, longitude, location_name, created_at, expires_at)
SELECT 1 + floor(random() * 1000)::integer, 'Sedím v parku a čekám.', 50.08 + (random() - 0.5) * 0.5, 14.43 + (random() - 0.5) * 0.8, 'Park', now() - interval '1 hour' * random(), now() + interval '23 hours'
  FROM generate_series(1, 50000);
INSERT INTO groups (owner_id, name, is_public, location_name, latitude, longitude, members_count, invite_code, created_at, updated_at)
SELECT 1 + n % 1000, 'Parta ' || n, n % 10 < 7, 'Praha', 49.2 + random() * 1.2, 13.4 + random() * 3, 1, md5(n::text), now() - n * interval '1 second', now() FROM generate_series(1, 100000) n;
INSERT INTO group_members SELECT id, owner_id, 'owner', now(), now() FROM groups;
VACUUM (ANALYZE);
