import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The trigger live_events_change also records changes of boosts, because a boost changes the order of lists
 * (docs/adr/0007-totals.md). It does not record the removal of a boost that has ended.
 */
export class BoostsAreNoted0211 implements MigrationInterface {
  readonly name = 'BoostsAreNoted0000000000211';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      noted(
        ` OR OLD.boosted_until IS DISTINCT FROM NEW.boosted_until AND (NEW.boosted_until IS NOT NULL OR OLD.boosted_until > now())`,
      ),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(noted(''));
  }
}

/** Returns the SQL that creates the trigger of migration 0090, with `more` as an additional condition. */
function noted(more: string): string {
  const row = (name: string): string =>
    'organizer_id, over_at, starts_at, type, imported, seeking, cell, x, y, z, folded'
      .split(', ')
      .map((column) => `${name}.${column}`)
      .join(', ');
  return `
    DROP TRIGGER live_events_change ON live_events;
    CREATE TRIGGER live_events_change AFTER UPDATE ON live_events FOR EACH ROW
    WHEN ((${row('OLD')}) IS DISTINCT FROM (${row('NEW')})${more}) EXECUTE FUNCTION live_events_note();`;
}
