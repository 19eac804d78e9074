import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds the columns `id` and `organizer_id` to live_event_changes, and creates the table hidden_from_changes. With these
 * data, the totals of a viewer do not include events that are hidden from the viewer (docs/adr/0007-totals.md).
 */
export class TotalsForViewers0090 implements MigrationInterface {
  readonly name = 'TotalsForViewers0000000000090';
  readonly locks = ['live_event_changes', 'live_events', 'participations', 'user_blocks'];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Null in rows from before this migration. Totals that need these columns do not read such rows.
      ALTER TABLE live_event_changes ADD COLUMN id bigint, ADD COLUMN organizer_id bigint;
      ${noted(', id, organizer_id', ', OLD.id, OLD.organizer_id', ', NEW.id, NEW.organizer_id')}
      DROP TRIGGER live_events_change ON live_events;
      ${noteOf('organizer_id, ')}

      -- A row is written when a block or a ban hides events from the user, and when the block or ban is removed.
      CREATE TABLE hidden_from_changes (
        xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
        noted_at timestamptz NOT NULL DEFAULT now(),
        user_id bigint NOT NULL
      );
      CREATE INDEX hidden_from_changes_user ON hidden_from_changes (user_id, xid);
      CREATE INDEX hidden_from_changes_noted ON hidden_from_changes (noted_at);

      CREATE FUNCTION hidden_from_note() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_TABLE_NAME = 'user_blocks' THEN
          INSERT INTO hidden_from_changes (user_id) VALUES (CASE WHEN TG_OP = 'DELETE' THEN OLD.blocked_id ELSE NEW.blocked_id END);
        ELSE
          INSERT INTO hidden_from_changes (user_id) VALUES (CASE WHEN TG_OP = 'DELETE' THEN OLD.user_id ELSE NEW.user_id END);
        END IF;
        RETURN NULL;
      END $$;
      CREATE TRIGGER user_blocks_hide AFTER INSERT OR DELETE ON user_blocks FOR EACH ROW EXECUTE FUNCTION hidden_from_note();
      CREATE TRIGGER participations_hide AFTER INSERT ON participations FOR EACH ROW
        WHEN (NEW.status = 'banned') EXECUTE FUNCTION hidden_from_note();
      CREATE TRIGGER participations_show AFTER DELETE ON participations FOR EACH ROW
        WHEN (OLD.status = 'banned') EXECUTE FUNCTION hidden_from_note();
      CREATE TRIGGER participations_hide_or_show AFTER UPDATE ON participations FOR EACH ROW
        WHEN ((OLD.status = 'banned') <> (NEW.status = 'banned')) EXECUTE FUNCTION hidden_from_note();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER user_blocks_hide ON user_blocks;
      DROP TRIGGER participations_hide ON participations;
      DROP TRIGGER participations_show ON participations;
      DROP TRIGGER participations_hide_or_show ON participations;
      DROP FUNCTION hidden_from_note();
      DROP TABLE hidden_from_changes;
      DROP TRIGGER live_events_change ON live_events;
      ${noteOf('')}
      ${noted('', '', '')}
      ALTER TABLE live_event_changes DROP COLUMN id, DROP COLUMN organizer_id;
    `);
  }
}

const COLUMNS = [
  'sign',
  'over_at',
  'starts_at',
  'type',
  'imported',
  'seeking',
  'participants',
  'x',
  'y',
  'z',
  'cell',
  'folded',
];

/** SQL for the function live_events_note() of migration 0040 with more columns. */
function noted(columns: string, old: string, fresh: string): string {
  const values = (row: string): string =>
    COLUMNS.slice(1)
      .map((column) => `${row}.${column}`)
      .join(', ');
  const into = `INSERT INTO live_event_changes (${COLUMNS.join(', ')}${columns})`;
  return `
    CREATE OR REPLACE FUNCTION live_events_note() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP <> 'INSERT' THEN
        ${into} VALUES (-1, ${values('OLD')}${old});
      END IF;
      IF TG_OP <> 'DELETE' THEN
        ${into} VALUES (1, ${values('NEW')}${fresh});
      END IF;
      RETURN NULL;
    END $$;`;
}

/** SQL for the trigger live_events_change. `more` begins the list of the columns whose changes are recorded. */
function noteOf(more: string): string {
  const row = (name: string): string =>
    `${more}over_at, starts_at, type, imported, seeking, cell, x, y, z, folded`
      .split(', ')
      .map((column) => `${name}.${column}`)
      .join(', ');
  return `
    CREATE TRIGGER live_events_change AFTER UPDATE ON live_events FOR EACH ROW
    WHEN ((${row('OLD')}) IS DISTINCT FROM (${row('NEW')})) EXECUTE FUNCTION live_events_note();`;
}
