-- Creates realistic events in and near Czech cities. The words of the events are as unevenly distributed as in real
-- texts. __EVENTS__, __USERS__ and __CROWD__ are replaced by numbers. About 30 % of the events are public, active and
-- not over. An event has about three participations on average. The formula `* 7919 % __USERS__` spreads the most
-- active people over all ids. So the people with tokens (every third id, from 3 to 900) have about the same amount of
-- data in databases of all sizes. Id 900 is an exception: see below.
SET synchronous_commit = off;
SET jit = off;
SET work_mem = '256MB';
SET maintenance_work_mem = '1GB';
SELECT setseed(0.42);

-- The vocabulary: about a hundred real words, the most common first, and 4,800 invented words made of syllables.
CREATE TEMP TABLE vocabulary AS
SELECT row_number() OVER ()::integer AS i, w FROM (
  SELECT w FROM unnest(string_to_array('pro do všichni budeme společně večer den kde kdo chce přátelé zábava hudba pivo víno káva jídlo dobré počasí sraz náměstí kavárna hospoda park řeka les hory cesta výlet procházka běh kolo turistika sport hra deskovky šachy kvíz divadlo koncert kino výstava galerie čtení kniha tanec oslava narozeniny grilování piknik vaření ochutnávka čaj snídaně oběd večeře zmrzlina přátelská atmosféra noví lidé seznámení poznat začátečníci pokročilí vítáni zdarma vstup rezervace nutná předem kapacita omezená místo zastávka tramvaj metro autobus nádraží škola děti rodina psi příroda stezka vyhlídka hrad zámek jezero rybník koupání plavání jóga meditace fotbal volejbal badminton tenis hokej bruslení lezení trénink závod maraton', ' ')) AS w
  UNION ALL
  SELECT (SELECT string_agg(s[1 + floor(random() * 40 + 0 * g + 0 * k)::integer], '')
            FROM generate_series(1, 2 + g % 3) k,
                 (SELECT string_to_array('ba če ři šo ka ke ky lo lu má mí na ně pa pe pi po ra ro ru ry sa se sí ta te ti vá ví vě za že dů chov stra pros kra hrá vlt žďá', ' ') AS s) syllables)
    FROM generate_series(1, 4800) g) words;
CREATE UNIQUE INDEX ON vocabulary (i);
CREATE TEMP TABLE sentences AS
SELECT q.i, string_agg(v.w, ' ') AS t
  FROM (SELECT g / 12 AS i, greatest(1, floor(power(4900, random()))::integer) AS wi FROM generate_series(0, 30000 * 12 - 1) g) q
  JOIN vocabulary v ON v.i = q.wi GROUP BY q.i;
CREATE UNIQUE INDEX ON sentences (i);
ANALYZE sentences;

CREATE TEMP TABLE cities AS
SELECT name, lat, lng, sd, (sum(w) OVER (ORDER BY i) - w) / sum(w) OVER ()::float8 AS low, sum(w) OVER (ORDER BY i) / sum(w) OVER ()::float8 AS high
  FROM (VALUES (1, 'Praha', 50.0755, 14.4378, 38, 0.045), (2, 'Brno', 49.1951, 16.6068, 13, 0.035), (3, 'Ostrava', 49.8209, 18.2625, 7, 0.04),
    (4, 'Plzeň', 49.7384, 13.3736, 5, 0.03), (5, 'Liberec', 50.7663, 15.0543, 4, 0.03), (6, 'Olomouc', 49.5938, 17.2509, 4, 0.03),
    (7, 'České Budějovice', 48.9745, 14.4743, 4, 0.03), (8, 'Hradec Králové', 50.2104, 15.8252, 4, 0.03), (9, 'Pardubice', 50.0343, 15.7812, 3, 0.03),
    (10, 'Zlín', 49.2265, 17.6670, 3, 0.03), (11, 'Jihlava', 49.3961, 15.5912, 3, 0.03), (12, 'Děčín', 50.7822, 14.2148, 2, 0.02),
    (13, 'Český Krumlov', 48.8127, 14.3175, 2, 0.02), (14, 'Znojmo', 48.8555, 16.0488, 2, 0.02)) c (i, name, lat, lng, w, sd);

INSERT INTO media_files (key, state, kind, bytes, created_at)
SELECT lpad(to_hex(g), 40, '0') || '.jpg', 'kept', 'picture', 1, now() FROM generate_series(1, 1000) g;

-- Without triggers and checks of foreign keys, filling takes a third of the time. The statements below write what the
-- triggers would write.
SET session_replication_role = replica;
INSERT INTO users (slug, name, nickname, avatar_key, gender, birth_date, premium_until, created_at, updated_at)
SELECT 'user-' || g,
       (ARRAY['Jan', 'Petr', 'Tomáš', 'Ondřej', 'Jana', 'Markéta', 'Tereza', 'Šárka'])[1 + g % 8] || ' ' || (ARRAY['Novák', 'Černý', 'Veselý', 'Růžička', 'Šimek', 'Beránek', 'Říha'])[1 + g % 7],
       'nick' || g, CASE WHEN random() < 0.7 THEN lpad(to_hex(1 + g % 1000), 40, '0') || '.jpg' END, CASE WHEN g % 2 = 0 THEN 'male' ELSE 'female' END,
       date '1965-01-01' + floor(random() * 15000)::integer, now() + interval '10 years', now(), now()
  FROM generate_series(1, __USERS__) g;
UPDATE users SET folded = f_folded(name, nickname, slug);
INSERT INTO people_words (part, is_part, name, slug, folded, shared)
SELECT n.part, n.is_part, u.name, u.slug, u.folded, CASE WHEN n.is_part THEN 0 ELSE f_shared_letters(u.folded, n.part) END
  FROM users u, LATERAL f_name_parts(u.folded) n;

INSERT INTO all_events (organizer_id, status, title, description, type, starts_at, ends_at, location_name, location_address, latitude, longitude, is_public, join_mode,
  max_participants, seeking_company, age_min, price_czk, photos_enabled, source_name, source_url, boosted_until, images, created_at, updated_at, cancelled_at)
SELECT 1 + floor(power(g.ro, 2.2) * __USERS__)::bigint * 7919 % __USERS__, CASE WHEN g.rx < 0.05 THEN 'cancelled' ELSE 'active' END,
       initcap(v.w) || ' ' || (ARRAY['v parku', 'u řeky', 'na náměstí', 'pod hradem', 'pro všechny', 'se psy', 'na Letné', 've Stromovce'])[1 + floor(random() * 8)::integer],
       '<p>' || s1.t || '</p><p>' || s2.t || ' ' || s3.t || '</p>',
       (ARRAY['drink', 'food', 'sport', 'culture', 'party', 'walk', 'work', 'game', 'other'])[1 + floor(random() * 9)::integer],
       g.st, CASE WHEN g.r5 < 0.6 THEN g.st + (1 + floor(g.r6 * g.r6 * 8)) * interval '1 hour' END,
       'Kavárna ' || initcap(v.w), 'Dlouhá ' || (1 + floor(random() * 150)::integer) || ', ' || c.name,
       CASE WHEN g.r7 < 0.95 THEN c.lat + c.sd * sqrt(-2 * ln(1 - g.r2)) * cos(2 * pi() * g.r3) END,
       CASE WHEN g.r7 < 0.95 THEN c.lng + 1.5 * c.sd * sqrt(-2 * ln(1 - g.r2)) * sin(2 * pi() * g.r3) END,
       random() < 0.9, CASE WHEN g.r8 < 0.8 THEN 'open' ELSE 'request' END, CASE WHEN g.r8 < 0.6 THEN 2 + floor(g.r8 * g.r8 * 272)::integer END,
       g.r8 < 0.05, CASE WHEN random() < 0.1 THEN 18 END, CASE WHEN random() < 0.2 THEN (floor(random() * 20) * 50)::integer END, false,
       CASE WHEN g.rs < 0.15 THEN 'GoOut' END, CASE WHEN g.rs < 0.15 THEN 'https://example.org/' || g.g END,
       CASE WHEN g.rb < 0.001 THEN now() + interval '1 day' + random() * interval '20 days' END,
       CASE floor(g.ri * 3)::integer WHEN 0 THEN '[]'
         WHEN 1 THEN jsonb_build_array(jsonb_build_object('id', g.g * 2, 'key', md5(g.g::text) || '00000000.jpg', 'width', 2048, 'height', 1365, 'is_primary', true))
         ELSE jsonb_build_array(jsonb_build_object('id', g.g * 2, 'key', md5(g.g::text) || '00000000.jpg', 'width', 2048, 'height', 1365, 'is_primary', true),
                                jsonb_build_object('id', g.g * 2 + 1, 'key', md5(g.g::text) || '00000001.jpg', 'width', 1600, 'height', 1200, 'is_primary', false)) END,
       now(), now(), CASE WHEN g.rx < 0.05 THEN now() END
  FROM (SELECT g, random() AS ro, random() AS r0, random() AS r2, random() AS r3, random() AS r5, random() AS r6, random() AS r7, random() AS r8, random() AS rs,
               random() AS rb, random() AS ri, random() AS rx, floor(random() * 30000)::integer AS a1, floor(random() * 30000)::integer AS a2, floor(random() * 30000)::integer AS a3,
               1 + floor(random() * 4900)::integer AS vi,
               date_trunc('hour', now()) + CASE WHEN random() < 0.355 THEN interval '7 days' - ln(1 - random() * 0.99) * interval '30 days'
                 ELSE -(2 + random() * 1000) * interval '1 day' END + floor(random() * 4) * interval '15 min' AS st
          FROM generate_series(1, __EVENTS__) g) g
  JOIN cities c ON g.r0 >= c.low AND g.r0 < c.high
  JOIN sentences s1 ON s1.i = g.a1 JOIN sentences s2 ON s2.i = g.a2 JOIN sentences s3 ON s3.i = g.a3 JOIN vocabulary v ON v.i = g.vi;

INSERT INTO participations (event_id, user_id, status, joined_at, created_at, updated_at)
SELECT DISTINCT ON (e.id, q.u) e.id, q.u, CASE WHEN q.r < 0.9 THEN 'confirmed' WHEN q.r < 0.95 THEN 'requested' WHEN q.r < 0.98 THEN 'waitlisted' ELSE 'banned' END, now(), now(), now()
  FROM (SELECT 1 + floor(random() * __EVENTS__)::integer AS e, 1 + floor(power(random(), 1.3) * __USERS__)::bigint * 7919 % __USERS__ AS u, random() AS r
          FROM generate_series(1, 3 * __EVENTS__)) q
  JOIN all_events e ON e.id = q.e AND e.organizer_id <> q.u;
-- The last person with a token (HEAVY_USER_ID in bench/discover/database.mjs) has a lot of data: 500 own events, 5,000
-- participations, and 200 people who block this person.
UPDATE all_events SET organizer_id = 900 WHERE id IN (
  SELECT id FROM all_events WHERE is_public AND status = 'active' AND over_at > now() AND source_name IS NULL ORDER BY md5(id::text) LIMIT 500);
DELETE FROM participations p USING all_events e WHERE e.id = p.event_id AND e.organizer_id = 900 AND p.user_id = 900;
INSERT INTO participations (event_id, user_id, status, joined_at, created_at, updated_at)
SELECT id, 900, CASE WHEN n % 500 = 0 THEN 'banned' WHEN n % 10 = 1 THEN 'requested' WHEN n % 10 = 2 THEN 'waitlisted' ELSE 'confirmed' END, now(), now(), now()
  FROM (SELECT id, row_number() OVER () AS n FROM (SELECT id FROM all_events WHERE organizer_id <> 900 ORDER BY md5(id::text) DESC LIMIT 5000) e) e ON CONFLICT DO NOTHING;
INSERT INTO user_blocks (blocker_id, blocked_id) SELECT id, 900 FROM users WHERE id <> 900 ORDER BY md5(id::text) LIMIT 200;
-- Removes the confirmed participants beyond the number of seats of their event. One seat belongs to the organizer.
DELETE FROM participations p USING (
  SELECT event_id, user_id, row_number() OVER (PARTITION BY event_id ORDER BY user_id) AS seat FROM participations WHERE status = 'confirmed') s
 JOIN all_events e ON e.id = s.event_id
 WHERE p.event_id = s.event_id AND p.user_id = s.user_id AND e.max_participants IS NOT NULL AND s.seat > e.max_participants - 1;
UPDATE all_events e SET confirmed_count = c.n
  FROM (SELECT event_id, count(*)::integer AS n FROM participations WHERE status = 'confirmed' GROUP BY event_id) c WHERE c.event_id = e.id;

-- An event with 10,000 participants. Its id is __CROWD__.
UPDATE all_events SET max_participants = NULL, organizer_id = 900, is_public = true, status = 'active', cancelled_at = NULL, join_mode = 'open', starts_at = now() + interval '90 days', ends_at = NULL WHERE id = __CROWD__;
INSERT INTO participations (event_id, user_id, status, joined_at, created_at, updated_at)
SELECT __CROWD__, id, 'confirmed', now() - id * interval '1 second', now(), now() FROM users WHERE id <> 900 AND id > 1000 ORDER BY id LIMIT 10000 ON CONFLICT DO NOTHING;
UPDATE all_events SET confirmed_count = (SELECT count(*) FROM participations WHERE event_id = __CROWD__ AND status = 'confirmed') WHERE id = __CROWD__;

INSERT INTO live_events SELECT l.* FROM listable_events l WHERE l.over_at > now();
SET session_replication_role = origin;

INSERT INTO comments (event_id, author_id, body, created_at) SELECT __CROWD__, 1 + n % 1000, repeat('Těším se. ', 5), now() FROM generate_series(1, 2000) n;
INSERT INTO comments (root_id, author_id, body, created_at) SELECT id, 1 + id % 1000, 'Já taky.', now() FROM comments WHERE event_id = __CROWD__;
INSERT INTO puls_posts (author_id, body, latitude, longitude, location_name, created_at, expires_at)
SELECT 1 + floor(random() * 1000)::integer, 'Sedím v parku a čekám.', 50.08 + (random() - 0.5) * 0.5, 14.43 + (random() - 0.5) * 0.8, 'Park', now() - interval '1 hour' * random(), now() + interval '23 hours'
  FROM generate_series(1, 50000);
INSERT INTO groups (owner_id, name, is_public, location_name, latitude, longitude, members_count, invite_code, created_at, updated_at)
SELECT 1 + n % 1000, 'Parta ' || n, n % 10 < 7, 'Praha', 49.2 + random() * 1.2, 13.4 + random() * 3, 1, md5(n::text), now() - n * interval '1 second', now() FROM generate_series(1, 100000) n;
INSERT INTO group_members SELECT id, owner_id, 'owner', now(), now() FROM groups;

-- Creates one entry in the feed of changes for each event. The entries are spread over the last 29 days, in weekly
-- partitions.
DO $$ DECLARE monday timestamptz := date_trunc('week', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'; BEGIN
  FOR week IN 1..5 LOOP
    EXECUTE format('CREATE TABLE %I PARTITION OF changes FOR VALUES FROM (%L) TO (%L)',
      'changes_' || to_char((monday - week * interval '168 hours') AT TIME ZONE 'UTC', 'YYYYMMDD'),
      monday - week * interval '168 hours', monday - (week - 1) * interval '168 hours'); END LOOP; END $$;
INSERT INTO changes (at, topic_kind, topic_id, type, subject_id, counted)
SELECT now() - interval '29 days' * (1 - n::float8 / __EVENTS__), 'event', 1 + n * 7919 % __EVENTS__, 'event.updated', 1 + n * 7919 % __EVENTS__, false
  FROM generate_series(1, __EVENTS__::bigint) n;
UPDATE change_feed SET last_number = (SELECT max(id) FROM changes);
SELECT number_changes();
