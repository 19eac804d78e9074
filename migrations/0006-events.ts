import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tables events and event_images. Migrations 0021 and 0030 add the foreign keys of `group_id` and `series_id`. */
export class Events0006 implements MigrationInterface {
  readonly name = 'Events0000000000006';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE events (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        organizer_id bigint NOT NULL REFERENCES users (id),
        group_id bigint,
        series_id bigint,
        series_index integer,
        status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'cancelled')),
        title text NOT NULL,
        description text,
        type text NOT NULL,
        starts_at timestamptz NOT NULL,
        ends_at timestamptz CHECK (ends_at > starts_at),
        -- ends_at, or 6 hours after the start if ends_at is null (LIMITS.events.over_after_start).
        over_at timestamptz NOT NULL GENERATED ALWAYS AS
          (coalesce(ends_at, (starts_at AT TIME ZONE 'UTC' + interval '6 hours') AT TIME ZONE 'UTC')) STORED,
        location_name text,
        location_address text,
        latitude double precision,
        longitude double precision,
        is_public boolean NOT NULL,
        join_mode text NOT NULL CHECK (join_mode IN ('open', 'password', 'tickets', 'request')),
        -- Encrypted with APP_SECRET.
        join_password_sealed text,
        max_participants integer,
        -- The organizer is not counted.
        confirmed_count integer NOT NULL DEFAULT 0 CHECK (confirmed_count >= 0),
        seeking_company boolean NOT NULL,
        age_min integer,
        age_max integer,
        gender_restriction text CHECK (gender_restriction IN ('male', 'female')),
        price_czk numeric(7, 2),
        price_note text,
        ticket_url text,
        ticket_price_credits integer NOT NULL DEFAULT 0 CHECK (ticket_price_credits >= 0),
        photos_enabled boolean NOT NULL,
        source_name text,
        source_url text,
        boosted_until timestamptz,
        -- A copy of the rows of event_images: [{id, key, width, height, is_primary}], oldest first.
        images jsonb NOT NULL DEFAULT '[]',
        created_at timestamptz NOT NULL,
        updated_at timestamptz NOT NULL,
        CHECK ((latitude IS NULL) = (longitude IS NULL)),
        CHECK (age_min <= age_max),
        CHECK ((join_mode = 'password') = (join_password_sealed IS NOT NULL)),
        CONSTRAINT events_capacity CHECK (confirmed_count + 1 <= max_participants),
        UNIQUE (series_id, series_index)
      );
      CREATE INDEX events_organizer ON events (organizer_id, starts_at, id);
      CREATE INDEX events_group ON events (group_id, starts_at, id) WHERE group_id IS NOT NULL;

      CREATE TABLE event_images (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        event_id bigint NOT NULL REFERENCES events (id) ON DELETE CASCADE,
        key text NOT NULL REFERENCES media_files (key),
        width integer NOT NULL,
        height integer NOT NULL,
        is_primary boolean NOT NULL,
        created_at timestamptz NOT NULL
      );
      CREATE INDEX event_images_event ON event_images (event_id, id);
      CREATE UNIQUE INDEX event_images_one_primary ON event_images (event_id) WHERE is_primary;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE event_images, events');
  }
}
