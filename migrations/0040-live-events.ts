import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Tables live_events and live_event_changes for Discover (docs/adr/0006-live-events.md). Triggers keep one row in
 * live_events for each public, active event.
 */
export class LiveEvents0040 implements MigrationInterface {
  readonly name = 'LiveEvents0000000000040';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(FOLDING);
    await runner.query(TABLES);
    await runner.query(FOLLOWING);
    await runner.query('INSERT INTO live_events SELECT * FROM listable_events');
    await runner.query(CHANGES);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER events_are_live ON events;
      DROP TRIGGER events_change_live ON events;
      DROP TRIGGER events_count_live ON events;
      DROP VIEW listable_events;
      DROP TABLE live_events, live_event_changes;
      DROP FUNCTION live_events_follow(), live_events_count(), live_events_note(), f_words(text), f_prefix_query(text), f_prefix_patterns(text), f_fold_words(text), f_visible_text(text);
    `);
  }
}

/** Letters and digits: the characters of words. The ranges are listed, so that the locale has no effect. */
const LETTERS = String.raw`a-z0-9\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02af\u0370-\u037d\u037f-\u0386\u0388-\u1fff\u2c00-\u2dff\u3005\u3041-\ud7ff\uf900-\ufdff\ufe70-\ufefe\uff66-\uffdc\U00020000-\U0003ffff`;

const FOLDING = `
  CREATE FUNCTION f_fold_words(text) RETURNS text
  LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
  AS $$
  DECLARE
    plain text := lower(public.unaccent('public.unaccent'::regdictionary, $1));
  BEGIN
    IF octet_length(plain) = length(plain) THEN
      RETURN btrim(regexp_replace(plain, '[^a-z0-9]+', ' ', 'g'));
    END IF;
    plain := lower(public.unaccent('public.unaccent'::regdictionary, normalize($1, NFC)));
    RETURN btrim(regexp_replace(plain, '[^${LETTERS}]+', ' ', 'g'));
  END $$;

  CREATE FUNCTION f_visible_text(text) RETURNS text
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  AS $$ SELECT replace(replace(replace(replace(
      regexp_replace(regexp_replace($1, '</?(b|i|u|s|em|strong|a)( [^>]*)?>', '', 'g'), '<[^>]*>', ' ', 'g'),
      '&lt;', '<'), '&gt;', '>'), '&quot;', '"'), '&amp;', '&') $$;

  CREATE FUNCTION f_words(text) RETURNS tsvector
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  AS $$ SELECT array_to_tsvector(ARRAY(SELECT DISTINCT left(w, 100) FROM unnest(string_to_array($1, ' ')) AS w WHERE w <> '')) $$;

  CREATE FUNCTION f_prefix_query(text) RETURNS tsquery
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  AS $$ SELECT string_agg('''' || left(w, 100) || ''':*', ' & ')::tsquery FROM unnest(string_to_array(f_fold_words($1), ' ')) AS w $$;
  CREATE FUNCTION f_prefix_patterns(text) RETURNS text[]
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  AS $$ SELECT array_agg('% ' || w || '%') FROM unnest(string_to_array(f_fold_words($1), ' ')) AS w $$;
`;

const TABLES = `
  -- Free space in the pages (fillfactor) allows HOT updates: when a person joins an event, only \`participants\`
  -- changes, and this column is in no index.
  CREATE TABLE live_events (
    id bigint PRIMARY KEY REFERENCES events (id) ON DELETE CASCADE,
    starts_at timestamptz NOT NULL,
    over_at timestamptz NOT NULL,
    boosted_until timestamptz,
    organizer_id bigint NOT NULL,
    type text NOT NULL,
    imported boolean NOT NULL,
    seeking boolean NOT NULL,
    -- Includes the organizer. No index may contain this column, because it changes whenever a person joins.
    participants integer NOT NULL,
    -- The place as a point on a sphere of radius 1.
    x double precision,
    y double precision,
    z double precision,
    -- The cell (0.1 degrees wide and high) that contains the place.
    cell integer,
    -- All searched texts in the form of f_fold_words, with a space before every word.
    folded text NOT NULL
  ) WITH (fillfactor = 85);

  CREATE VIEW listable_events AS
  SELECT e.id, e.starts_at, e.over_at, e.boosted_until, e.organizer_id, e.type, e.source_name IS NOT NULL AS imported,
         e.seeking_company AS seeking, e.confirmed_count + 1 AS participants,
         cosd(e.latitude) * cosd(e.longitude) AS x, cosd(e.latitude) * sind(e.longitude) AS y, sind(e.latitude) AS z,
         (floor((e.latitude + 90) * 10) * 10000 + floor((e.longitude + 180) * 10))::integer AS cell,
         ' ' || f_fold_words(concat_ws(' ', e.title, f_visible_text(e.description), e.location_name, e.location_address)) AS folded
    FROM events e
   WHERE e.is_public AND e.status = 'active';

  CREATE INDEX live_events_start ON live_events (starts_at, id) INCLUDE (over_at, boosted_until, organizer_id, type, imported, seeking, x, y, z);
  CREATE INDEX live_events_boosted ON live_events (starts_at, id) INCLUDE (over_at, boosted_until, organizer_id, type, imported, seeking, x, y, z)
    WHERE boosted_until IS NOT NULL;
  CREATE INDEX live_events_type ON live_events (type, starts_at, id) INCLUDE (over_at, boosted_until, organizer_id, imported, seeking, x, y, z);
  CREATE INDEX live_events_seeking ON live_events (starts_at, id) INCLUDE (over_at, boosted_until, organizer_id, type, imported, x, y, z)
    WHERE seeking;
  CREATE INDEX live_events_cell ON live_events (cell, starts_at, id) INCLUDE (over_at, boosted_until, organizer_id, type, imported, seeking, x, y, z);
  CREATE INDEX live_events_organizer ON live_events (organizer_id);
  CREATE INDEX live_events_over ON live_events (over_at);
  CREATE INDEX live_events_words ON live_events USING gin (f_words(folded)) WITH (fastupdate = off);
  CREATE INDEX live_events_folded ON live_events USING gin (folded gin_trgm_ops) WITH (fastupdate = off);
  -- More statistics, so that the planner does not estimate that a common word is rare.
  ALTER INDEX live_events_words ALTER COLUMN 1 SET STATISTICS 500;
`;

const FOLLOWING = `
  CREATE FUNCTION live_events_follow() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF NOT (NEW.is_public AND NEW.status = 'active') THEN
      DELETE FROM live_events WHERE id = NEW.id;
      RETURN NULL;
    END IF;
    INSERT INTO live_events SELECT * FROM listable_events WHERE id = NEW.id
    ON CONFLICT (id) DO UPDATE SET
      (starts_at, over_at, boosted_until, organizer_id, type, imported, seeking, participants, x, y, z, cell, folded) =
      (EXCLUDED.starts_at, EXCLUDED.over_at, EXCLUDED.boosted_until, EXCLUDED.organizer_id, EXCLUDED.type, EXCLUDED.imported, EXCLUDED.seeking,
       EXCLUDED.participants, EXCLUDED.x, EXCLUDED.y, EXCLUDED.z, EXCLUDED.cell, EXCLUDED.folded);
    RETURN NULL;
  END $$;

  CREATE TRIGGER events_are_live AFTER INSERT ON events FOR EACH ROW
  WHEN (NEW.is_public AND NEW.status = 'active') EXECUTE FUNCTION live_events_follow();

  CREATE TRIGGER events_change_live AFTER UPDATE ON events FOR EACH ROW
  WHEN ((OLD.is_public AND OLD.status = 'active' OR NEW.is_public AND NEW.status = 'active') AND
    (OLD.is_public, OLD.status, OLD.starts_at, OLD.ends_at, OLD.boosted_until, OLD.organizer_id, OLD.type, OLD.source_name, OLD.seeking_company,
     OLD.latitude, OLD.longitude, OLD.title, OLD.description, OLD.location_name, OLD.location_address)
    IS DISTINCT FROM
    (NEW.is_public, NEW.status, NEW.starts_at, NEW.ends_at, NEW.boosted_until, NEW.organizer_id, NEW.type, NEW.source_name, NEW.seeking_company,
     NEW.latitude, NEW.longitude, NEW.title, NEW.description, NEW.location_name, NEW.location_address))
  EXECUTE FUNCTION live_events_follow();

  CREATE FUNCTION live_events_count() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE live_events SET participants = NEW.confirmed_count + 1 WHERE id = NEW.id;
    RETURN NULL;
  END $$;

  CREATE TRIGGER events_count_live AFTER UPDATE ON events FOR EACH ROW
  WHEN (OLD.confirmed_count <> NEW.confirmed_count AND NEW.is_public AND NEW.status = 'active') EXECUTE FUNCTION live_events_count();
`;

const CHANGES = `
  -- One row for each row that was added to live_events (sign 1) or removed from it (sign -1). A changed row is recorded
  -- as removed and added. A change of only the boost, organizer or number of participants of a row is not recorded. The
  -- service updates totals from these rows (docs/adr/0007-totals.md). A job deletes old rows.
  CREATE TABLE live_event_changes (
    xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
    noted_at timestamptz NOT NULL DEFAULT now(),
    sign smallint NOT NULL,
    over_at timestamptz NOT NULL,
    starts_at timestamptz NOT NULL,
    type text NOT NULL,
    imported boolean NOT NULL,
    seeking boolean NOT NULL,
    participants integer NOT NULL,
    x double precision,
    y double precision,
    z double precision,
    cell integer,
    folded text NOT NULL
  );
  CREATE INDEX live_event_changes_xid ON live_event_changes (xid);
  CREATE INDEX live_event_changes_noted ON live_event_changes (noted_at);

  CREATE FUNCTION live_events_note() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP <> 'INSERT' THEN
      INSERT INTO live_event_changes (sign, over_at, starts_at, type, imported, seeking, participants, x, y, z, cell, folded)
      VALUES (-1, OLD.over_at, OLD.starts_at, OLD.type, OLD.imported, OLD.seeking, OLD.participants, OLD.x, OLD.y, OLD.z, OLD.cell, OLD.folded);
    END IF;
    IF TG_OP <> 'DELETE' THEN
      INSERT INTO live_event_changes (sign, over_at, starts_at, type, imported, seeking, participants, x, y, z, cell, folded)
      VALUES (1, NEW.over_at, NEW.starts_at, NEW.type, NEW.imported, NEW.seeking, NEW.participants, NEW.x, NEW.y, NEW.z, NEW.cell, NEW.folded);
    END IF;
    RETURN NULL;
  END $$;

  CREATE TRIGGER live_events_come_and_go AFTER INSERT OR DELETE ON live_events FOR EACH ROW EXECUTE FUNCTION live_events_note();

  CREATE TRIGGER live_events_change AFTER UPDATE ON live_events FOR EACH ROW
  WHEN ((OLD.over_at, OLD.starts_at, OLD.type, OLD.imported, OLD.seeking, OLD.cell, OLD.x, OLD.y, OLD.z, OLD.folded)
    IS DISTINCT FROM (NEW.over_at, NEW.starts_at, NEW.type, NEW.imported, NEW.seeking, NEW.cell, NEW.x, NEW.y, NEW.z, NEW.folded))
  EXECUTE FUNCTION live_events_note();
`;
