import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Triggers that write an entry to the feed (migration 0145) when content becomes hidden or visible again. */
export class ChangesOfSight0188 implements MigrationInterface {
  readonly name = 'ChangesOfSight0000000000188';
  readonly locks = [
    'all_comments',
    'all_events',
    'all_gallery_photos',
    'all_groups',
    'all_posts',
    'all_series',
    'users',
  ];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(FUNCTIONS);
    for (const table of TABLES) {
      await runner.query(`
        CREATE TRIGGER sight_is_told AFTER UPDATE OF removed_at ON all_${table} FOR EACH ROW
          WHEN ((OLD.removed_at IS NULL) <> (NEW.removed_at IS NULL)) EXECUTE FUNCTION tell_sight_of_${table}()`);
    }
    await runner.query(`
      CREATE TRIGGER sight_is_told AFTER UPDATE OF banned ON users FOR EACH ROW
        WHEN (OLD.banned <> NEW.banned) EXECUTE FUNCTION tell_sight_of_person()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES)
      await runner.query(`DROP TRIGGER sight_is_told ON all_${table}; DROP FUNCTION tell_sight_of_${table}()`);
    await runner.query(
      'DROP TRIGGER sight_is_told ON users; DROP FUNCTION tell_sight_of_person(), tell_sight_of_event(bigint, boolean)',
    );
  }
}

const TABLES = ['events', 'series', 'groups', 'posts', 'comments', 'gallery_photos'];

const FUNCTIONS = `
  CREATE FUNCTION tell_sight_of_event(event bigint, gone boolean) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    it record;
  BEGIN
    IF NOT gone THEN
      PERFORM record_change('event', event, 'event.updated', event);
      RETURN;
    END IF;
    SELECT organizer_id, is_public, group_id INTO it FROM all_events WHERE id = event;
    PERFORM record_change('account', it.organizer_id, 'event.gone', event, NULL, NULL, it.organizer_id);
    PERFORM record_change('account', p.user_id, 'event.gone', event, NULL, NULL, it.organizer_id)
       FROM participations p WHERE p.event_id = event AND p.status IN ('confirmed', 'pending', 'waitlisted', 'requested') ORDER BY p.user_id;
    IF it.is_public THEN
      PERFORM tell_members_event_gone(event, it.organizer_id, it.group_id, NULL);
    END IF;
  END $$;

  CREATE FUNCTION tell_sight_of_events() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF NEW.removed_at IS NOT NULL OR EXISTS (SELECT FROM events e WHERE e.id = NEW.id) THEN
      PERFORM tell_sight_of_event(NEW.id, NEW.removed_at IS NOT NULL);
    END IF;
    RETURN NULL;
  END $$;

  CREATE FUNCTION tell_sight_of_series() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM record_change('account', NEW.organizer_id, CASE WHEN NEW.removed_at IS NULL THEN 'series.updated' ELSE 'series.gone' END, NEW.id);
    PERFORM tell_sight_of_event(e.id, NEW.removed_at IS NOT NULL) FROM all_events e
      WHERE e.series_id = NEW.id AND e.removed_at IS NULL AND (NEW.removed_at IS NOT NULL OR EXISTS (SELECT FROM events seen WHERE seen.id = e.id)) ORDER BY e.id;
    RETURN NULL;
  END $$;

  CREATE FUNCTION tell_sight_of_groups() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF NEW.removed_at IS NULL THEN
      PERFORM record_change('group', NEW.id, 'group.updated', NEW.id);
    ELSE
      PERFORM record_change('account', m.user_id, 'group.gone', NEW.id) FROM group_members m WHERE m.group_id = NEW.id ORDER BY m.user_id;
    END IF;
    PERFORM record_update('event', e.id, 'event.updated', e.id) FROM events e WHERE e.group_id = NEW.id ORDER BY e.id;
    RETURN NULL;
  END $$;

  CREATE FUNCTION tell_sight_of_posts() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM record_change('account', NEW.author_id, CASE WHEN NEW.removed_at IS NULL THEN 'post.updated' ELSE 'post.gone' END, NEW.id, NEW.slug);
    RETURN NULL;
  END $$;

  CREATE FUNCTION tell_sight_of_comments() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    what text := CASE WHEN NEW.removed_at IS NULL THEN 'comment.created' ELSE 'comment.gone' END;
    root record;
    author bigint;
  BEGIN
    SELECT id, event_id, post_id, removed_at INTO root FROM all_comments WHERE id = coalesce(NEW.root_id, NEW.id);
    IF NEW.root_id IS NOT NULL AND root.removed_at IS NOT NULL THEN RETURN NULL; END IF;
    SELECT p.author_id INTO author FROM all_posts p WHERE p.id = root.post_id;
    PERFORM record_change(CASE WHEN root.event_id IS NULL THEN 'account' ELSE 'event' END, coalesce(root.event_id, author), what, c.id, NULL, root.post_id)
       FROM all_comments c WHERE c.id = NEW.id OR c.root_id = NEW.id AND c.removed_at IS NULL ORDER BY c.id;
    RETURN NULL;
  END $$;

  CREATE FUNCTION tell_sight_of_gallery_photos() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM record_change('event', NEW.event_id, CASE WHEN NEW.removed_at IS NULL THEN 'photo.created' ELSE 'photo.gone' END, NEW.id);
    RETURN NULL;
  END $$;

  CREATE FUNCTION tell_sight_of_person() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM tell_sight_of_event(e.id, NEW.banned) FROM all_events e LEFT JOIN all_series s ON s.id = e.series_id
      WHERE e.organizer_id = NEW.id AND e.status = 'active' AND e.over_at > now() AND e.removed_at IS NULL AND s.removed_at IS NULL ORDER BY e.id;
    PERFORM record_change('account', NEW.id, CASE WHEN NEW.banned THEN 'post.gone' ELSE 'post.updated' END, p.id, p.slug)
       FROM all_posts p WHERE p.author_id = NEW.id AND p.removed_at IS NULL ORDER BY p.id;
    RETURN NULL;
  END $$;
`;
