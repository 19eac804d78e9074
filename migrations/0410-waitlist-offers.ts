import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Columns of all_events and participations for the waitlist of an event: its mode, its order, and offers of seats.
 * Migration 0412 validates the constraints.
 */
export class WaitlistOffers0410 implements MigrationInterface {
  readonly name = 'WaitlistOffers0000000000410';
  readonly locks = ['all_events', 'participations'];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE all_events
        ADD COLUMN waitlist_mode text NOT NULL DEFAULT 'manual',
        ADD COLUMN offer_hours integer NOT NULL DEFAULT 24,
        -- The number of stored offers. Each offer reserves a seat.
        ADD COLUMN offers_count integer NOT NULL DEFAULT 0,
        ADD CONSTRAINT events_waitlist_mode CHECK (waitlist_mode IN ('manual', 'auto', 'offer')) NOT VALID,
        ADD CONSTRAINT events_offer_hours CHECK (offer_hours BETWEEN 1 AND 168) NOT VALID,
        ADD CONSTRAINT events_offers_count CHECK (offers_count >= 0) NOT VALID,
        ADD CONSTRAINT events_capacity_with_offers CHECK (confirmed_count + 1 + offers_count <= max_participants) NOT VALID;

      ALTER TABLE participations
        -- The order of the waitlist. Rows from before this migration have null and come first.
        ADD COLUMN waitlist_number integer,
        -- Until this time a seat is reserved for this waitlisted person.
        ADD COLUMN offer_expires_at timestamptz,
        ADD CONSTRAINT participations_offer CHECK (offer_expires_at IS NULL OR status = 'waitlisted') NOT VALID;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE participations DROP COLUMN waitlist_number, DROP COLUMN offer_expires_at;
      ALTER TABLE all_events DROP COLUMN waitlist_mode, DROP COLUMN offer_hours, DROP COLUMN offers_count;
    `);
  }
}
