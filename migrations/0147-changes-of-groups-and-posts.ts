import type { MigrationInterface, QueryRunner } from 'typeorm';

const GROUP = ['name', 'description', 'is_public', 'location_name', 'latitude', 'longitude', 'avatar_key', 'cover_key'];
const SERIES = [
  'template',
  'cancelled_at',
  'generated',
  'next_start',
  'until',
  'occurrences_limit',
  'duration_minutes',
];
const POST = ['title', 'excerpt', 'body', 'categories', 'location', 'status', 'cover_key', 'published_at', 'event_id'];

/**
 * Triggers that write changes of groups, group_members, group_interests, series, posts and comments to the feed of
 * changes (migration 0145).
 */
export class ChangesOfGroupsAndPosts0147 implements MigrationInterface {
  readonly name = 'ChangesOfGroupsAndPosts0000000000147';
  readonly locks = ['comments', 'group_interests', 'group_members', 'groups', 'posts', 'series'];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(GROUPS);
    await runner.query(WRITINGS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER changes_are_told ON groups;
      DROP TRIGGER changes_are_told_updated ON groups;
      DROP TRIGGER changes_keep_time ON groups;
      DROP TRIGGER changes_are_told ON group_members;
      DROP TRIGGER changes_are_told ON group_interests;
      DROP TRIGGER changes_are_told ON series;
      DROP TRIGGER changes_are_told_updated ON series;
      DROP TRIGGER changes_keep_time ON series;
      DROP TRIGGER changes_are_told ON posts;
      DROP TRIGGER changes_are_told_updated ON posts;
      DROP TRIGGER changes_keep_time ON posts;
      DROP TRIGGER changes_are_told ON comments;
      DROP TRIGGER changes_are_told_deleted ON comments;
      DROP FUNCTION tell_group(), tell_member(), tell_interest(), tell_series(), tell_post(), tell_comment();
    `);
  }
}

function columns(row: 'OLD' | 'NEW', names: readonly string[]): string {
  return names.map((name) => `${row}.${name}`).join(', ');
}

function changed(names: readonly string[]): string {
  return `(${columns('OLD', names)}) IS DISTINCT FROM (${columns('NEW', names)})`;
}

/** SQL: a trigger that leaves `updated_at` of a row unchanged if none of the columns `names` changes. */
function keepsTime(table: string, names: readonly string[]): string {
  return `
  CREATE TRIGGER changes_keep_time BEFORE UPDATE ON ${table} FOR EACH ROW
    WHEN (OLD.updated_at <> NEW.updated_at AND NOT (${changed(names)})) EXECUTE FUNCTION keep_updated_at();`;
}

const GROUPS = `
  CREATE FUNCTION tell_group() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP = 'INSERT' THEN
      PERFORM record_change('group', NEW.id, 'group.created', NEW.id, NULL, NULL, NEW.owner_id);
    ELSE
      PERFORM record_update('group', NEW.id, 'group.updated', NEW.id);
    END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER changes_are_told AFTER INSERT ON groups FOR EACH ROW EXECUTE FUNCTION tell_group();
  CREATE TRIGGER changes_are_told_updated AFTER UPDATE ON groups FOR EACH ROW WHEN (${changed(GROUP)}) EXECUTE FUNCTION tell_group();
  ${keepsTime('groups', GROUP)}

  CREATE FUNCTION tell_member() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    member record := CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
    had_joined boolean := CASE WHEN TG_OP <> 'INSERT' THEN OLD.joined_at IS NOT NULL ELSE false END;
    has_joined boolean := CASE WHEN TG_OP <> 'DELETE' THEN NEW.joined_at IS NOT NULL ELSE false END;
  BEGIN
    IF TG_OP = 'DELETE' THEN
      PERFORM record_change('account', member.user_id, 'group.gone', member.group_id);
      IF NOT EXISTS (SELECT FROM groups g WHERE g.id = member.group_id) THEN RETURN NULL; END IF;
    ELSIF TG_OP = 'INSERT' AND member.role = 'owner' THEN
      RETURN NULL;
    END IF;
    PERFORM record_change('group', member.group_id, CASE TG_OP WHEN 'INSERT' THEN 'member.created' WHEN 'UPDATE' THEN 'member.updated' ELSE 'member.gone' END,
      member.user_id, NULL, NULL, member.user_id, had_joined <> has_joined);
    RETURN NULL;
  END $$;
  CREATE TRIGGER changes_are_told AFTER INSERT OR UPDATE OR DELETE ON group_members FOR EACH ROW EXECUTE FUNCTION tell_member();

  CREATE FUNCTION tell_interest() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    organizer bigint;
    event_public boolean;
  BEGIN
    IF TG_OP = 'INSERT' THEN
      PERFORM record_change('group', NEW.group_id, 'event.updated', NEW.event_id);
      RETURN NULL;
    END IF;
    IF NOT EXISTS (SELECT FROM groups g WHERE g.id = OLD.group_id) THEN RETURN NULL; END IF;
    SELECT e.organizer_id, e.is_public INTO organizer, event_public FROM events e WHERE e.id = OLD.event_id;
    IF NOT FOUND THEN RETURN NULL; END IF;
    PERFORM record_change('group', OLD.group_id, 'event.updated', OLD.event_id);
    IF event_public THEN
      PERFORM tell_members_event_gone(OLD.event_id, organizer, NULL, OLD.group_id);
    END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER changes_are_told AFTER INSERT OR DELETE ON group_interests FOR EACH ROW EXECUTE FUNCTION tell_interest();
`;

const WRITINGS = `
  CREATE FUNCTION tell_series() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    CASE TG_OP
      WHEN 'INSERT' THEN PERFORM record_change('account', NEW.organizer_id, 'series.created', NEW.id);
      WHEN 'UPDATE' THEN PERFORM record_update('account', NEW.organizer_id, 'series.updated', NEW.id);
      ELSE PERFORM record_change('account', OLD.organizer_id, 'series.gone', OLD.id);
    END CASE;
    RETURN NULL;
  END $$;
  CREATE TRIGGER changes_are_told AFTER INSERT OR DELETE ON series FOR EACH ROW EXECUTE FUNCTION tell_series();
  CREATE TRIGGER changes_are_told_updated AFTER UPDATE ON series FOR EACH ROW WHEN (${changed(SERIES)}) EXECUTE FUNCTION tell_series();
  ${keepsTime('series', SERIES)}

  CREATE FUNCTION tell_post() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    CASE TG_OP
      WHEN 'INSERT' THEN PERFORM record_change('account', NEW.author_id, 'post.created', NEW.id, NEW.slug);
      WHEN 'UPDATE' THEN PERFORM record_update('account', NEW.author_id, 'post.updated', NEW.id, NEW.slug);
      ELSE PERFORM record_change('account', OLD.author_id, 'post.gone', OLD.id, OLD.slug);
    END CASE;
    RETURN NULL;
  END $$;
  CREATE TRIGGER changes_are_told AFTER INSERT OR DELETE ON posts FOR EACH ROW EXECUTE FUNCTION tell_post();
  CREATE TRIGGER changes_are_told_updated AFTER UPDATE ON posts FOR EACH ROW WHEN (${changed(POST)}) EXECUTE FUNCTION tell_post();
  ${keepsTime('posts', POST)}

  CREATE FUNCTION tell_comment() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    said comments := CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
    root comments := said;
    author bigint;
    what text := CASE TG_OP WHEN 'INSERT' THEN 'comment.created' ELSE 'comment.gone' END;
  BEGIN
    IF said.root_id IS NOT NULL THEN
      SELECT * INTO root FROM comments c WHERE c.id = said.root_id;
      IF NOT FOUND THEN RETURN said; END IF;
    END IF;
    IF root.event_id IS NOT NULL THEN
      IF TG_OP = 'INSERT' OR EXISTS (SELECT FROM events e WHERE e.id = root.event_id) THEN
        PERFORM record_change('event', root.event_id, what, said.id);
        IF TG_OP = 'DELETE' AND said.root_id IS NULL THEN
          PERFORM record_change('event', root.event_id, what, c.id) FROM comments c WHERE c.root_id = said.id ORDER BY c.id;
        END IF;
      END IF;
      RETURN said;
    END IF;
    SELECT p.author_id INTO author FROM posts p WHERE p.id = root.post_id;
    IF NOT FOUND THEN RETURN said; END IF;
    PERFORM record_change('account', author, what, said.id, NULL, root.post_id);
    IF TG_OP = 'DELETE' AND said.root_id IS NULL THEN
      PERFORM record_change('account', author, what, c.id, NULL, root.post_id) FROM comments c WHERE c.root_id = said.id ORDER BY c.id;
    END IF;
    RETURN said;
  END $$;
  CREATE TRIGGER changes_are_told AFTER INSERT ON comments FOR EACH ROW EXECUTE FUNCTION tell_comment();
  CREATE TRIGGER changes_are_told_deleted BEFORE DELETE ON comments FOR EACH ROW EXECUTE FUNCTION tell_comment();
`;
