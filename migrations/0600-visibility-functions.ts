import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Renames functions that only triggers use. Functions that other functions call are dropped by `removed.sql`. */
export class VisibilityFunctions0600 implements MigrationInterface {
  readonly name = 'VisibilityFunctions0000000000600';

  async up(runner: QueryRunner): Promise<void> {
    for (const [from, to] of Object.entries(FUNCTIONS)) await rename(runner, from, to);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [from, to] of Object.entries(FUNCTIONS)) await rename(runner, to, from);
  }
}

/** A new database does not yet have the definitions of the SQL files, so only existing functions are renamed. */
async function rename(runner: QueryRunner, from: string, to: string): Promise<void> {
  const found = (await runner.query('SELECT to_regprocedure($1) IS NOT NULL AS exists', [`${from}()`])) as {
    exists: boolean;
  }[];
  if (found[0]?.exists) await runner.query(`ALTER FUNCTION ${from}() RENAME TO ${to}`);
}

const FUNCTIONS = {
  hidden_from_note: 'record_hidden_from_change',
  live_events_count: 'live_events_participants',
  live_events_note: 'record_live_event_change',
  record_sight_of_comments: 'record_visibility_of_comments',
  record_sight_of_events: 'record_visibility_of_events',
  record_sight_of_gallery_photos: 'record_visibility_of_gallery_photos',
  record_sight_of_groups: 'record_visibility_of_groups',
  record_sight_of_person: 'record_visibility_of_person',
  record_sight_of_posts: 'record_visibility_of_posts',
  record_sight_of_series: 'record_visibility_of_series',
};
