import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Hides removed content. Also hides content of banned people: their posts, their Puls posts, and their events that are
 * active and not over (docs/adr/0021-out-of-sight.md). Seven tables are renamed to `all_…` and get the column
 * `removed_at`. Views with the old names contain only visible rows.
 */
export class OutOfSight0185 implements MigrationInterface {
  readonly name = 'OutOfSight0000000000185';
  readonly locks = [
    'comments',
    'event_images',
    'events',
    'gallery_photos',
    'groups',
    'listable_events',
    'posts',
    'puls_posts',
    'series',
    'users',
  ];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
    await runner.query(VIEWS);
    await runner.query('SELECT show_what_is_in_sight()');
    await runner.query(retold('comments', 'all_comments'));
    await runner.query(LISTED);
    await runner.query(groupsIn('all_groups', ' AND removed_at IS NULL'));
    await runner.query(FILES);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP FUNCTION media_out_of_sight(text), show_what_is_in_sight();
      DROP INDEX event_images_key, groups_avatar_key, groups_cover_key;
      DROP TRIGGER users_ban_live ON users;
      DROP TRIGGER series_removal_live ON all_series;
      DROP TRIGGER events_removal_live ON all_events;
      DROP FUNCTION live_events_of_series(), live_events_of_person();
      DROP VIEW events, series, groups, posts, comments, gallery_photos, puls_posts;
      ALTER TABLE all_events RENAME TO events;
      ALTER TABLE all_series RENAME TO series;
      ALTER TABLE all_groups RENAME TO groups;
      ALTER TABLE all_posts RENAME TO posts;
      ALTER TABLE all_comments RENAME TO comments;
      ALTER TABLE all_gallery_photos RENAME TO gallery_photos;
      ALTER TABLE all_puls_posts RENAME TO puls_posts;
      ${retold('all_comments', 'comments')}
      DROP INDEX users_banned, puls_posts_around;
      CREATE INDEX puls_posts_around ON puls_posts USING gist (place) INCLUDE (expires_at, author_id);
      ${groupsIn('groups', '')}
      ${listable('events', '')}
      ${FOLLOW_LISTED_ONLY}
      ALTER TABLE events DROP COLUMN removed_at;
      ALTER TABLE series DROP COLUMN removed_at;
      ALTER TABLE groups DROP COLUMN removed_at;
      ALTER TABLE posts DROP COLUMN removed_at;
      ALTER TABLE comments DROP COLUMN removed_at;
      ALTER TABLE gallery_photos DROP COLUMN removed_at;
      ALTER TABLE puls_posts DROP COLUMN removed_at;
    `);
  }
}

const TABLES = `
  ALTER TABLE events RENAME TO all_events;
  ALTER TABLE series RENAME TO all_series;
  ALTER TABLE groups RENAME TO all_groups;
  ALTER TABLE posts RENAME TO all_posts;
  ALTER TABLE comments RENAME TO all_comments;
  ALTER TABLE gallery_photos RENAME TO all_gallery_photos;
  ALTER TABLE puls_posts RENAME TO all_puls_posts;

  -- Null if the row is not removed.
  ALTER TABLE all_events ADD COLUMN removed_at timestamptz;
  ALTER TABLE all_series ADD COLUMN removed_at timestamptz;
  ALTER TABLE all_groups ADD COLUMN removed_at timestamptz;
  ALTER TABLE all_posts ADD COLUMN removed_at timestamptz;
  ALTER TABLE all_comments ADD COLUMN removed_at timestamptz;
  ALTER TABLE all_gallery_photos ADD COLUMN removed_at timestamptz;
  ALTER TABLE all_puls_posts ADD COLUMN removed_at timestamptz;

  -- These indexes are for statements that look for a few removed rows or banned people among many rows.
  CREATE INDEX events_removed ON all_events (id) WHERE removed_at IS NOT NULL;
  CREATE INDEX series_removed ON all_series (id) WHERE removed_at IS NOT NULL;
  CREATE INDEX groups_removed ON all_groups (id) WHERE removed_at IS NOT NULL;
  CREATE INDEX posts_removed ON all_posts (id) WHERE removed_at IS NOT NULL;
  CREATE INDEX comments_removed ON all_comments (id) WHERE removed_at IS NOT NULL;
  CREATE INDEX gallery_photos_removed ON all_gallery_photos (id) WHERE removed_at IS NOT NULL;
  CREATE INDEX puls_posts_removed ON all_puls_posts (id) WHERE removed_at IS NOT NULL;
  CREATE INDEX users_banned ON users (id) WHERE banned;

  -- With this index, the Puls posts within a radius are counted without reading the table.
  DROP INDEX puls_posts_around;
  CREATE INDEX puls_posts_around ON all_puls_posts USING gist (place) INCLUDE (expires_at, author_id, removed_at);
`;

/** A function that creates one view for each table, with the visible rows and all columns except `removed_at`. */
const VIEWS = `
  -- Later migrations that add columns to one of the tables call this function again.
  CREATE FUNCTION show_what_is_in_sight() RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    seen record;
    columns text;
  BEGIN
    FOR seen IN SELECT * FROM (VALUES
      -- A removed series hides its occurrences. A ban hides events that are active and not over. Because of OFFSET 0,
      -- PostgreSQL checks each row by an index and never reads whole tables.
      ('events', 'NOT (a.series_id IS NOT NULL AND EXISTS (SELECT FROM all_series s WHERE s.id = a.series_id AND s.removed_at IS NOT NULL OFFSET 0))
        AND NOT (a.status = ''active'' AND a.over_at > now() AND EXISTS (SELECT FROM users u WHERE u.id = a.organizer_id AND u.banned OFFSET 0))'),
      ('series', 'true'),
      ('groups', 'true'),
      ('posts', 'NOT EXISTS (SELECT FROM users u WHERE u.id = a.author_id AND u.banned OFFSET 0)'),
      -- A removed root hides its replies.
      ('comments', 'NOT (a.root_id IS NOT NULL AND EXISTS (SELECT FROM all_comments r WHERE r.id = a.root_id AND r.removed_at IS NOT NULL OFFSET 0))'),
      ('gallery_photos', 'true'),
      -- Very many posts are checked at once, so the banned people are read only once.
      ('puls_posts', 'a.author_id NOT IN (SELECT u.id FROM users u WHERE u.banned)')
    ) v (name, condition) LOOP
      SELECT string_agg('a.' || quote_ident(c.column_name), ', ' ORDER BY c.ordinal_position) INTO columns
        FROM information_schema.columns c
       WHERE c.table_schema = current_schema() AND c.table_name = 'all_' || seen.name AND c.column_name <> 'removed_at';
      EXECUTE format('CREATE OR REPLACE VIEW %I AS SELECT %s FROM %I a WHERE a.removed_at IS NULL AND %s', seen.name, columns, 'all_' || seen.name, seen.condition);
    END LOOP;
  END $$;
`;

/**
 * Replaces the name of the comments table in the function `tell_comment` of migration 0147, because the table is
 * renamed.
 */
function retold(from: string, to: string): string {
  return `
    DO $do$
    BEGIN
      EXECUTE replace(replace(replace(pg_get_functiondef('tell_comment'::regproc), 'said ${from} :=', 'said ${to} :='), 'root ${from} :=', 'root ${to} :='),
        'INTO root FROM ${from} ', 'INTO root FROM ${to} ');
    END $do$;`;
}

/** The view of the events that Discover lists. */
function listable(table: string, more: string): string {
  return `
    CREATE OR REPLACE VIEW listable_events AS
    SELECT e.id, e.starts_at, e.over_at, e.boosted_until, e.organizer_id, e.type, e.source_name IS NOT NULL AS imported,
           e.seeking_company AS seeking, e.confirmed_count + 1 AS participants,
           cosd(e.latitude) * cosd(e.longitude) AS x, cosd(e.latitude) * sind(e.longitude) AS y, sind(e.latitude) AS z,
           (floor((e.latitude + 90) * 10) * 10000 + floor((e.longitude + 180) * 10))::integer AS cell,
           ' ' || f_fold_words(concat_ws(' ', e.title, f_visible_text(e.description), e.location_name, e.location_address)) AS folded
      FROM ${table} e
     WHERE e.is_public AND e.status = 'active' ${more};`;
}

/** SQL: the event and its series are not removed, and its organizer is not banned. Only such an event is listed. */
const IN_SIGHT = `AND e.removed_at IS NULL
  AND NOT EXISTS (SELECT FROM all_series s WHERE s.id = e.series_id AND s.removed_at IS NOT NULL)
  AND NOT EXISTS (SELECT FROM users u WHERE u.id = e.organizer_id AND u.banned)`;

const UPSERT = `
  INSERT INTO live_events SELECT * FROM listable_events WHERE id = NEW.id
  ON CONFLICT (id) DO UPDATE SET
    (starts_at, over_at, boosted_until, organizer_id, type, imported, seeking, participants, x, y, z, cell, folded) =
    (EXCLUDED.starts_at, EXCLUDED.over_at, EXCLUDED.boosted_until, EXCLUDED.organizer_id, EXCLUDED.type, EXCLUDED.imported, EXCLUDED.seeking,
     EXCLUDED.participants, EXCLUDED.x, EXCLUDED.y, EXCLUDED.z, EXCLUDED.cell, EXCLUDED.folded);`;

const FOLLOW_LISTED_ONLY = `
  CREATE OR REPLACE FUNCTION live_events_follow() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF NOT (NEW.is_public AND NEW.status = 'active') THEN
      DELETE FROM live_events WHERE id = NEW.id;
      RETURN NULL;
    END IF;
    ${UPSERT}
    RETURN NULL;
  END $$;`;

const LISTED = `
  ${listable('all_events', IN_SIGHT)}

  CREATE OR REPLACE FUNCTION live_events_follow() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM pg_advisory_xact_lock_shared(185, NEW.organizer_id::integer);
    IF NOT EXISTS (SELECT FROM listable_events WHERE id = NEW.id) THEN
      DELETE FROM live_events WHERE id = NEW.id;
      RETURN NULL;
    END IF;
    ${UPSERT}
    RETURN NULL;
  END $$;

  CREATE TRIGGER events_removal_live AFTER UPDATE OF removed_at ON all_events FOR EACH ROW
    WHEN (OLD.removed_at IS DISTINCT FROM NEW.removed_at) EXECUTE FUNCTION live_events_follow();

  CREATE FUNCTION live_events_of_series() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    DELETE FROM live_events WHERE NEW.removed_at IS NOT NULL AND id IN (SELECT id FROM all_events WHERE series_id = NEW.id);
    INSERT INTO live_events SELECT l.* FROM listable_events l JOIN all_events e ON e.id = l.id WHERE e.series_id = NEW.id ON CONFLICT (id) DO NOTHING;
    RETURN NULL;
  END $$;
  CREATE TRIGGER series_removal_live AFTER UPDATE OF removed_at ON all_series FOR EACH ROW
    WHEN (OLD.removed_at IS DISTINCT FROM NEW.removed_at) EXECUTE FUNCTION live_events_of_series();

  CREATE FUNCTION live_events_of_person() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM pg_advisory_xact_lock(185, NEW.id::integer);
    DELETE FROM live_events WHERE NEW.banned AND organizer_id = NEW.id;
    INSERT INTO live_events SELECT * FROM listable_events WHERE organizer_id = NEW.id ON CONFLICT (id) DO NOTHING;
    RETURN NULL;
  END $$;
  CREATE TRIGGER users_ban_live AFTER UPDATE OF banned ON users FOR EACH ROW
    WHEN (OLD.banned <> NEW.banned) EXECUTE FUNCTION live_events_of_person();

  DELETE FROM live_events WHERE organizer_id IN (SELECT id FROM users WHERE banned);
`;

/**
 * Creates the indexes, the function and the trigger of migration 0020 again, on `table` and with the condition
 * `inSight`.
 */
function groupsIn(table: string, inSight: string): string {
  const counted = (row: string): string => `${row}.is_public${inSight.replace('removed_at', `${row}.removed_at`)}`;
  return `
    DROP INDEX groups_newest, groups_nearest, groups_cell;
    CREATE INDEX groups_newest ON ${table} (created_at DESC, id DESC) WHERE is_public${inSight};
    CREATE INDEX groups_nearest ON ${table} USING gist (place) WHERE is_public AND latitude IS NOT NULL${inSight};
    CREATE INDEX groups_cell ON ${table} (cell) INCLUDE (place) WHERE is_public AND latitude IS NOT NULL${inSight};

    CREATE OR REPLACE FUNCTION count_group_in_cell() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      was integer := CASE WHEN TG_OP <> 'INSERT' AND ${counted('OLD')} THEN coalesce(OLD.cell, -1) END;
      becomes integer := CASE WHEN TG_OP <> 'DELETE' AND ${counted('NEW')} THEN coalesce(NEW.cell, -1) END;
      south double precision;
      west double precision;
      middle cube;
      change record;
    BEGIN
      IF was IS NOT DISTINCT FROM becomes THEN RETURN NULL; END IF;
      FOR change IN SELECT * FROM (VALUES (was, -1), (becomes, 1)) v (cell, amount) WHERE v.cell IS NOT NULL ORDER BY v.cell LOOP
        UPDATE group_cells SET groups = groups + change.amount WHERE cell = change.cell;
        IF FOUND THEN CONTINUE; END IF;
        IF change.cell >= 0 THEN
          south := change.cell / 3600 / 10.0 - 90;
          west := change.cell % 3600 / 10.0 - 180;
          middle := f_on_sphere(south + 0.05, west + 0.05);
        END IF;
        INSERT INTO group_cells AS known (cell, centre, span, groups)
        VALUES (change.cell, middle,
                greatest(middle <-> f_on_sphere(south, west), middle <-> f_on_sphere(south + 0.1, west)) + 1e-12, change.amount)
        ON CONFLICT (cell) DO UPDATE SET groups = known.groups + change.amount;
      END LOOP;
      RETURN NULL;
    END $$;
    DROP TRIGGER groups_count_cell ON ${table};
    CREATE TRIGGER groups_count_cell AFTER INSERT OR DELETE OR UPDATE OF is_public, latitude, longitude${inSight && ', removed_at'} ON ${table}
      FOR EACH ROW EXECUTE FUNCTION count_group_in_cell();`;
}

/** The indexes and the function that find hidden files. Pictures of accounts are never hidden. */
const FILES = `
  CREATE INDEX event_images_key ON event_images (key);
  CREATE INDEX groups_avatar_key ON all_groups (avatar_key) WHERE avatar_key IS NOT NULL;
  CREATE INDEX groups_cover_key ON all_groups (cover_key) WHERE cover_key IS NOT NULL;

  CREATE FUNCTION media_out_of_sight(file text) RETURNS boolean LANGUAGE plpgsql STABLE STRICT AS $$
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
`;
