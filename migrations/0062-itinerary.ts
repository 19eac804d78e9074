import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Creates the table itineraries, with at most one itinerary for each event. The stops of an itinerary are one JSON
 * value, because they are always read and written together.
 */
export class Itinerary0062 implements MigrationInterface {
  readonly name = 'Itinerary0000000000062';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE itineraries (
        event_id bigint PRIMARY KEY REFERENCES events (id) ON DELETE CASCADE,
        title text NOT NULL,
        description text,
        is_public boolean NOT NULL,
        stops jsonb NOT NULL CHECK (jsonb_typeof(stops) = 'array' AND jsonb_array_length(stops) > 0),
        created_at timestamptz NOT NULL,
        updated_at timestamptz NOT NULL
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE itineraries');
  }
}
