import type { MigrationInterface, QueryRunner } from 'typeorm';

const BANNED = 'u.banned';
const BANNED_NOW = '(u.banned AND (u.banned_until IS NULL OR u.banned_until > now()))';

/**
 * In addition to `users.banned`, the views of visible content and of listed events compare `users.banned_until` with
 * the current time, so a temporary ban ends at the right time. A job resets `users.banned` later. The trigger
 * `users_ban_live` also runs when `banned_until` changes.
 */
export class BansByTheClock0260 implements MigrationInterface {
  readonly name = 'BansByTheClock0000000000260';
  readonly locks = [
    'comments',
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
    await runner.query(asked(BANNED, BANNED_NOW));
    await runner.query('SELECT show_what_is_in_sight()');
    await runner.query(`
      DROP TRIGGER users_ban_live ON users;
      CREATE TRIGGER users_ban_live AFTER UPDATE OF banned, banned_until ON users FOR EACH ROW
        WHEN ((OLD.banned, OLD.banned_until) IS DISTINCT FROM (NEW.banned, NEW.banned_until)) EXECUTE FUNCTION live_events_of_person()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER users_ban_live ON users;
      CREATE TRIGGER users_ban_live AFTER UPDATE OF banned ON users FOR EACH ROW
        WHEN (OLD.banned <> NEW.banned) EXECUTE FUNCTION live_events_of_person()`);
    await runner.query(`
      DO $do$
      BEGIN
        EXECUTE replace(pg_get_functiondef('show_what_is_in_sight'::regproc), '${BANNED_NOW}', '${BANNED}');
        EXECUTE 'CREATE OR REPLACE VIEW listable_events AS ' || regexp_replace(pg_get_viewdef('listable_events'::regclass),
          'u\\.banned AND \\(\\(u\\.banned_until IS NULL\\) OR \\(u\\.banned_until > now\\(\\)\\)\\)', '${BANNED}');
      END $do$`);
    await runner.query('SELECT show_what_is_in_sight()');
  }
}

/** SQL that replaces the condition for banned people in `show_what_is_in_sight` and in the view `listable_events`. */
function asked(from: string, to: string): string {
  return `
    DO $do$
    BEGIN
      EXECUTE replace(pg_get_functiondef('show_what_is_in_sight'::regproc), '${from}', '${to}');
      EXECUTE 'CREATE OR REPLACE VIEW listable_events AS ' || replace(pg_get_viewdef('listable_events'::regclass), '${from}', '${to}');
    END $do$`;
}
