import type { MigrationInterface, QueryRunner } from 'typeorm';

const CONSTRAINTS = [
  ['all_events', 'events_waitlist_mode'],
  ['all_events', 'events_offer_hours'],
  ['all_events', 'events_offers_count'],
  ['all_events', 'events_capacity_with_offers'],
  ['participations', 'participations_offer'],
] as const;

/** Checks the existing rows against the constraints that migration 0410 added. */
export class WaitlistConstraints0412 implements MigrationInterface {
  readonly name = 'WaitlistConstraints0000000000412';

  async up(runner: QueryRunner): Promise<void> {
    for (const [table, name] of CONSTRAINTS) await runner.query(`ALTER TABLE ${table} VALIDATE CONSTRAINT ${name}`);
  }

  async down(): Promise<void> {}
}
