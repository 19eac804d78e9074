import type { MigrationInterface, QueryRunner } from 'typeorm';

const INDEXES = [
  [
    'participations_waitlist',
    `participations (event_id, waitlist_number NULLS FIRST, created_at, user_id) WHERE status = 'waitlisted'`,
  ],
  ['participations_offers', 'participations (offer_expires_at, event_id) WHERE offer_expires_at IS NOT NULL'],
  ['events_passing_seats_on', `all_events (starts_at) WHERE waitlist_mode <> 'manual' AND status = 'active'`],
] as const;

/**
 * Three indexes: for reading a waitlist in its order, for finding offers by their expiry, and for finding the events
 * whose free seats a job assigns to the waitlist.
 */
export class WaitlistIndexes0411 implements MigrationInterface {
  readonly name = 'WaitlistIndexes0000000000411';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const [name, rows] of INDEXES) {
      await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
      await runner.query(`CREATE INDEX CONCURRENTLY ${name} ON ${rows}`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [name] of INDEXES) await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
  }
}
