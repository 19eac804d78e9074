import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Tables groups, group_cells, group_members and group_chats, and functions f_on_sphere() and f_cell() for places
 * (docs/adr/0020-groups-by-distance.md).
 */
export class Groups0020 implements MigrationInterface {
  readonly name = 'Groups0000000000020';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE EXTENSION IF NOT EXISTS cube SCHEMA public;

      CREATE FUNCTION f_on_sphere(latitude double precision, longitude double precision) RETURNS public.cube
      LANGUAGE sql IMMUTABLE PARALLEL SAFE
      AS $$ SELECT CASE WHEN $1 IS NOT NULL AND $2 IS NOT NULL THEN public.cube(ARRAY[
              cos(radians($1)) * cos(radians($2)), cos(radians($1)) * sin(radians($2)), sin(radians($1))]) END $$;

      CREATE FUNCTION f_cell(latitude double precision, longitude double precision) RETURNS integer
      LANGUAGE sql IMMUTABLE PARALLEL SAFE
      AS $$ SELECT least(floor(($1 + 90) * 10), 1799)::integer * 3600 + least(floor(($2 + 180) * 10), 3599)::integer $$;

      CREATE TABLE groups (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        owner_id bigint NOT NULL REFERENCES users (id),
        name text NOT NULL,
        description text,
        is_public boolean NOT NULL,
        location_name text,
        latitude double precision,
        longitude double precision,
        place cube GENERATED ALWAYS AS (f_on_sphere(latitude, longitude)) STORED,
        cell integer GENERATED ALWAYS AS (f_cell(latitude, longitude)) STORED,
        -- The number of members, including the owner.
        members_count integer NOT NULL CHECK (members_count >= 1),
        avatar_key text REFERENCES media_files (key),
        cover_key text REFERENCES media_files (key),
        -- The secret part of the invite link.
        invite_code text NOT NULL UNIQUE,
        created_at timestamptz NOT NULL,
        updated_at timestamptz NOT NULL,
        CHECK ((latitude IS NULL) = (longitude IS NULL))
      );
      CREATE INDEX groups_owner ON groups (owner_id);
      CREATE INDEX groups_newest ON groups (created_at DESC, id DESC) WHERE is_public;
      CREATE INDEX groups_nearest ON groups USING gist (place) WHERE is_public AND latitude IS NOT NULL;
      CREATE INDEX groups_cell ON groups (cell) INCLUDE (place) WHERE is_public AND latitude IS NOT NULL;

      -- The number of public groups in each cell. Cell -1 is for groups without a place. No point of a cell is farther
      -- from its centre than span.
      CREATE TABLE group_cells (
        cell integer PRIMARY KEY,
        centre cube,
        span double precision,
        groups integer NOT NULL CHECK (groups >= 0),
        CHECK ((cell = -1) = (centre IS NULL) AND (centre IS NULL) = (span IS NULL))
      );

      CREATE FUNCTION count_group_in_cell() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        was integer := CASE WHEN TG_OP <> 'INSERT' AND OLD.is_public THEN coalesce(OLD.cell, -1) END;
        becomes integer := CASE WHEN TG_OP <> 'DELETE' AND NEW.is_public THEN coalesce(NEW.cell, -1) END;
        south double precision;
        west double precision;
        middle cube;
        change record;
      BEGIN
        IF was IS NOT DISTINCT FROM becomes THEN RETURN NULL; END IF;
        FOR change IN SELECT * FROM (VALUES (was, -1), (becomes, 1)) v (cell, amount) WHERE v.cell IS NOT NULL ORDER BY v.cell LOOP
          UPDATE group_cells SET groups = groups + change.amount WHERE cell = change.cell;
          IF FOUND THEN CONTINUE; END IF;
          IF change.cell >= 0 THEN
            south := change.cell / 3600 / 10.0 - 90;
            west := change.cell % 3600 / 10.0 - 180;
            middle := f_on_sphere(south + 0.05, west + 0.05);
          END IF;
          INSERT INTO group_cells AS known (cell, centre, span, groups)
          VALUES (change.cell, middle,
                  greatest(middle <-> f_on_sphere(south, west), middle <-> f_on_sphere(south + 0.1, west)) + 1e-12, change.amount)
          ON CONFLICT (cell) DO UPDATE SET groups = known.groups + change.amount;
        END LOOP;
        RETURN NULL;
      END $$;
      CREATE TRIGGER groups_count_cell AFTER INSERT OR DELETE OR UPDATE OF is_public, latitude, longitude ON groups
        FOR EACH ROW EXECUTE FUNCTION count_group_in_cell();

      -- No ON DELETE CASCADE for users, because members_count would become wrong.
      CREATE TABLE group_members (
        group_id bigint NOT NULL REFERENCES groups (id) ON DELETE CASCADE,
        user_id bigint NOT NULL REFERENCES users (id),
        role text NOT NULL CHECK (role IN ('owner', 'member', 'invited', 'requested')),
        joined_at timestamptz,
        created_at timestamptz NOT NULL,
        PRIMARY KEY (group_id, user_id),
        CHECK ((joined_at IS NOT NULL) = (role IN ('owner', 'member')))
      );
      CREATE UNIQUE INDEX group_members_one_owner ON group_members (group_id) WHERE role = 'owner';
      CREATE INDEX group_members_joined ON group_members (group_id, joined_at, user_id) WHERE joined_at IS NOT NULL;
      CREATE INDEX group_members_pending ON group_members (group_id, role, created_at, user_id) WHERE joined_at IS NULL;
      CREATE INDEX group_members_user ON group_members (user_id, role) INCLUDE (group_id);

      CREATE TABLE group_chats (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        group_id bigint UNIQUE REFERENCES groups (id) ON DELETE SET NULL,
        name text NOT NULL,
        created_at timestamptz NOT NULL
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE group_chats, group_members, groups, group_cells;
      DROP FUNCTION count_group_in_cell(), f_cell(double precision, double precision), f_on_sphere(double precision, double precision)`);
  }
}
