import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Renames functions and triggers of the feed of changes: `record` instead of `tell`, `recorded` instead of `told`.
 * Triggers are renamed, not created next to the old triggers, so running servers record every change only once.
 * Functions that other functions call are not renamed; `removed.sql` drops them after their callers have been replaced.
 */
export class RecordedChanges0540 implements MigrationInterface {
  readonly name = 'RecordedChanges0000000000540';
  readonly locks = [
    'all_comments',
    'all_events',
    'all_gallery_photos',
    'all_groups',
    'all_posts',
    'all_series',
    'expense_payments',
    'expense_shares',
    'expenses',
    'group_interests',
    'group_members',
    'itineraries',
    'notifications',
    'participations',
    'tickets',
    'users',
  ];

  async up(runner: QueryRunner): Promise<void> {
    await rename(runner, Object.entries(FUNCTIONS), Object.entries(TRIGGERS));
  }

  async down(runner: QueryRunner): Promise<void> {
    await rename(runner, Object.entries(FUNCTIONS).map(reversed), Object.entries(TRIGGERS).map(reversed));
  }
}

type Rename = readonly [from: string, to: string];

/** A new database does not yet have the definitions of the SQL files, so only existing definitions are renamed. */
async function rename(runner: QueryRunner, functions: readonly Rename[], triggers: readonly Rename[]): Promise<void> {
  for (const [from, to] of functions) {
    const found = (await runner.query(
      `SELECT oid::regprocedure AS signature FROM pg_proc WHERE proname = $1 AND pronamespace = 'public'::regnamespace`,
      [from],
    )) as { signature: string }[];
    for (const { signature } of found) await runner.query(`ALTER FUNCTION ${signature} RENAME TO ${to}`);
  }
  for (const [from, to] of triggers) {
    const found = (await runner.query(
      'SELECT tgrelid::regclass AS relation FROM pg_trigger WHERE tgname = $1 ORDER BY tgrelid::regclass::text',
      [from],
    )) as { relation: string }[];
    for (const { relation } of found) await runner.query(`ALTER TRIGGER ${from} ON ${relation} RENAME TO ${to}`);
  }
}

function reversed([from, to]: [string, string]): Rename {
  return [to, from];
}

const FUNCTIONS = {
  tell_book_of_another: 'record_expense_handover',
  tell_comment: 'record_comment',
  tell_comment_of_another: 'record_comment_handover',
  tell_event: 'record_event',
  tell_event_of_another: 'record_event_handover',
  tell_group: 'record_group',
  tell_group_of_another: 'record_group_handover',
  tell_interest: 'record_interest',
  tell_member: 'record_member',
  tell_notices: 'record_new_notices',
  tell_notices_of_message: 'record_notices_of_message',
  tell_notices_read: 'record_updated_notices',
  tell_part_of_event: 'record_part_of_event',
  tell_participation: 'record_participation',
  tell_place_of_another: 'record_seat_handover',
  tell_post: 'record_post',
  tell_series: 'record_series',
  tell_sight_of_comments: 'record_sight_of_comments',
  tell_sight_of_events: 'record_sight_of_events',
  tell_sight_of_gallery_photos: 'record_sight_of_gallery_photos',
  tell_sight_of_groups: 'record_sight_of_groups',
  tell_sight_of_person: 'record_sight_of_person',
  tell_sight_of_posts: 'record_sight_of_posts',
  tell_sight_of_series: 'record_sight_of_series',
};

const TRIGGERS = {
  changes_are_told: 'changes_are_recorded',
  changes_are_told_deleted: 'changes_are_recorded_deleted',
  changes_are_told_updated: 'changes_are_recorded_updated',
  changes_of_hands_are_told: 'changes_of_hands_are_recorded',
  changes_without_version_are_told: 'changes_without_version_are_recorded',
  sight_is_told: 'sight_is_recorded',
};
