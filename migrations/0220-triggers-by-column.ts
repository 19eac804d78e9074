import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Triggers whose condition compares the old and new values of columns. */
const TRIGGERS: readonly (readonly [table: string, trigger: string])[] = [
  ['all_events', 'changes_keep_time'],
  ['all_events', 'changes_are_told_updated'],
  ['all_events', 'events_calendar_sequence'],
  ['all_events', 'events_change_live'],
  ['live_events', 'live_events_change'],
];

/**
 * Five triggers get a list of columns (UPDATE OF), so that PostgreSQL does not parse their long conditions when a
 * person joins an event (`confirmed_count` changes). The list contains the columns of the condition. No trigger that
 * runs earlier may change one of these columns, because `UPDATE OF` considers only the columns that the UPDATE
 * statement sets.
 */
export class TriggersByColumn0220 implements MigrationInterface {
  readonly name = 'TriggersByColumn0000000000220';
  readonly locks = ['all_events', 'live_events'];

  async up(runner: QueryRunner): Promise<void> {
    for (const [table, trigger] of TRIGGERS)
      await runner.query(remade(table, trigger, `' UPDATE ON '`, `' UPDATE OF ' || columns || ' ON '`));
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [table, trigger] of TRIGGERS)
      await runner.query(remade(table, trigger, `' UPDATE OF ' || columns || ' ON '`, `' UPDATE ON '`));
  }
}

/**
 * SQL that creates the trigger again, with the text `was` of its definition replaced by `becomes`. Both texts are SQL
 * expressions, in which `columns` is the list of the columns of the condition.
 */
function remade(table: string, trigger: string, was: string, becomes: string): string {
  return `
    DO $do$
    DECLARE
      trigger_id oid := (SELECT oid FROM pg_trigger WHERE tgrelid = '${table}'::regclass AND tgname = '${trigger}');
      columns text := (
        SELECT string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum)
          FROM pg_attribute a
         WHERE a.attrelid = '${table}'::regclass
           AND EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_trigger'::regclass AND d.objid = trigger_id
                          AND d.refclassid = 'pg_class'::regclass AND d.refobjid = a.attrelid AND d.refobjsubid = a.attnum));
    BEGIN
      EXECUTE replace(replace(pg_get_triggerdef(trigger_id), 'CREATE TRIGGER', 'CREATE OR REPLACE TRIGGER'), ${was}, ${becomes});
    END $do$`;
}
