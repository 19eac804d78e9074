import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Index live_events_boosts: finds live events by the end of their boost. It was added for an older decision, which
 * docs/adr/0230-unchanged-answers.md replaces: the database checked whether a page of Discover had changed. This check
 * included a search for boosts that had ended since the page was created.
 */
export class BoostsByEnd0230 implements MigrationInterface {
  readonly name = 'BoostsByEnd0000000000230';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'CREATE INDEX live_events_boosts ON live_events (boosted_until) WHERE boosted_until IS NOT NULL',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX live_events_boosts');
  }
}
