import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds the table series: each row has a rule and a template for repeated events (occurrences). Adds the foreign key, a
 * check and an index of `events.series_id`.
 */
export class Series0030 implements MigrationInterface {
  readonly name = 'Series0000000000030';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE series (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        organizer_id bigint NOT NULL REFERENCES users (id),
        starts_at timestamptz NOT NULL,
        frequency text NOT NULL CHECK (frequency IN ('daily', 'weekly', 'monthly')),
        interval integer NOT NULL CHECK (interval > 0),
        until date,
        occurrences_limit integer CHECK (occurrences_limit > 0),
        duration_minutes integer CHECK (duration_minutes > 0),
        -- The fields that each occurrence gets. The keys of the object are names of columns of events.
        template jsonb NOT NULL CHECK (jsonb_typeof(template) = 'object'),
        -- The number of created occurrences, including deleted occurrences. It never decreases.
        generated integer NOT NULL CHECK (generated >= 0),
        -- The start of the next occurrence. Null: no more occurrences will be created.
        next_start timestamptz,
        cancelled_at timestamptz,
        created_at timestamptz NOT NULL,
        updated_at timestamptz NOT NULL,
        CHECK (until IS NULL OR occurrences_limit IS NULL),
        CHECK (cancelled_at IS NULL OR next_start IS NULL)
      );
      CREATE INDEX series_organizer ON series (organizer_id, id);
      CREATE INDEX series_due ON series (next_start) WHERE next_start IS NOT NULL;

      ALTER TABLE events
        ADD CONSTRAINT events_series FOREIGN KEY (series_id) REFERENCES series (id),
        ADD CONSTRAINT events_series_place CHECK ((series_id IS NULL) = (series_index IS NULL));
      CREATE INDEX events_series_start ON events (series_id, starts_at, id) WHERE series_id IS NOT NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX events_series_start;
      ALTER TABLE events DROP CONSTRAINT events_series_place, DROP CONSTRAINT events_series;
      DROP TABLE series;
    `);
  }
}
