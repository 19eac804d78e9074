import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Tables live_words and live_grams for the search for parts of words (docs/adr/0006-live-events.md). They replace the
 * trigram index live_events_folded, because this index made writes slow. Migration 0550 counts the words of existing
 * events, because counting here would block writes for about a minute per 100,000 events.
 */
export class WordsOfLiveEvents0092 implements MigrationInterface {
  readonly name = 'WordsOfLiveEvents0000000000092';
  readonly locks = ['live_event_changes', 'live_events'];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(FUNCTIONS);
    await runner.query(TABLES);
    await runner.query(COUNTING);
    await runner.query(`
      DROP INDEX live_events_folded;
      -- New words are first added to a list and later sorted into the index together, which makes writes faster. The
      -- list is limited to 1 MiB, because every search reads the whole list.
      ALTER INDEX live_events_words SET (fastupdate = on, gin_pending_list_limit = 1024);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER INDEX live_events_words SET (fastupdate = off);
      ALTER INDEX live_events_words RESET (gin_pending_list_limit);
      CREATE INDEX live_events_folded ON live_events USING gin (folded gin_trgm_ops) WITH (fastupdate = off);
      DROP FUNCTION live_words_recount(), f_part_query(text), f_gram_total(text, timestamptz);
      DROP TABLE live_words, live_grams;
      DROP FUNCTION f_grams(text);
      ALTER TABLE live_event_changes DROP COLUMN counted_in;
    `);
  }
}

const FUNCTIONS = `
  CREATE FUNCTION f_grams(text) RETURNS text[]
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  AS $$ SELECT CASE WHEN octet_length($1) = length($1) THEN
      ARRAY(SELECT DISTINCT g FROM unnest(public.show_trgm($1)) AS t, LATERAL (VALUES (substr(t, 2, 1)), (substr(t, 1, 2))) AS v (g) WHERE position(' ' IN g) = 0)
    ELSE
      ARRAY(SELECT DISTINCT substr(w, i, k) FROM (SELECT DISTINCT w FROM unnest(string_to_array($1, ' ')) AS w) words,
              generate_series(1, length(w)) AS i, generate_series(1, 2) AS k WHERE i + k <= length(w) + 1)
    END $$;
`;

const TABLES = `
  -- The distinct words of listed events, and the number of events with each word. Words are cut to 100 characters.
  CREATE TABLE live_words (word text PRIMARY KEY, events integer NOT NULL);
  CREATE INDEX live_words_grams ON live_words USING gin (f_grams(word)) WITH (fastupdate = off);
  CREATE INDEX live_words_gone ON live_words (word) WHERE events = 0;
  -- The words that may have been cut. A search for a part of a word also checks the events with these words.
  CREATE INDEX live_words_long ON live_words (word) WHERE length(word) >= 100;
  -- The number of listed events with each single character and each pair of characters.
  CREATE TABLE live_grams (gram text PRIMARY KEY, events integer NOT NULL);

  -- False until live_words and live_grams contain the words of this change. Existing rows get true, because migration
  -- 0550 counts the words of their events.
  ALTER TABLE live_event_changes ADD COLUMN counted_in boolean NOT NULL DEFAULT true;
  ALTER TABLE live_event_changes ALTER COLUMN counted_in SET DEFAULT false;
  CREATE INDEX live_event_changes_fresh ON live_event_changes (id) WHERE NOT counted_in;
`;

const COUNTING = `
  CREATE FUNCTION live_words_recount() RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    LOCK TABLE live_event_changes, live_words, live_grams IN EXCLUSIVE MODE;
    DELETE FROM live_words;
    DELETE FROM live_grams;
    UPDATE live_event_changes SET counted_in = true WHERE NOT counted_in;
    INSERT INTO live_words (word, events)
    SELECT word, count(*) FROM live_events, LATERAL (SELECT DISTINCT left(w, 100) AS word FROM unnest(string_to_array(folded, ' ')) AS w WHERE w <> '') w GROUP BY word;
    INSERT INTO live_grams (gram, events)
    SELECT gram, sum(n) FROM (SELECT count(*) AS n, folded FROM live_events GROUP BY folded) texts, unnest(f_grams(folded)) AS gram GROUP BY gram;
  END $$;

  CREATE FUNCTION f_part_query(text) RETURNS tsquery LANGUAGE plpgsql STABLE STRICT AS $$
  DECLARE
    words text[] := string_to_array(f_fold_words($1), ' ');
    last integer := coalesce(cardinality(words), 0);
    others tsquery;
    ends tsquery;
  BEGIN
    IF last = 0 THEN
      RETURN '!''~'''::tsquery;
    END IF;
    SELECT string_agg(quote_literal(left(words[i], 100)) || CASE WHEN i = last THEN ':*' ELSE '' END, ' & ')::tsquery INTO others FROM generate_series(2, last) AS i;
    IF last > 1 AND (length(words[1]) < 3 OR EXISTS (SELECT 1 FROM unnest(words[2:]) AS w WHERE length(w) >= 3)) THEN
      RETURN others;
    END IF;
    SELECT string_agg(quote_literal(word), ' | ')::tsquery INTO ends FROM (
      SELECT word FROM live_words WHERE f_grams(word) @> f_grams(words[1]) AND word LIKE '%' || words[1] || CASE WHEN last = 1 THEN '%' ELSE '' END
      UNION SELECT word FROM live_words WHERE length(word) >= 100) w;
    RETURN CASE WHEN others IS NULL THEN ends ELSE ends && others END;
  END $$;

  CREATE FUNCTION f_gram_total(text, timestamptz) RETURNS bigint LANGUAGE plpgsql STABLE STRICT AS $$
  DECLARE
    asked text := f_fold_words($1);
    part text := '%' || asked || '%';
  BEGIN
    IF asked !~ '^[^ ]{1,2}$' THEN
      RETURN NULL;
    END IF;
    RETURN coalesce((SELECT events FROM live_grams g WHERE g.gram = asked), 0)
      + coalesce((SELECT sum(sign) FROM live_event_changes c WHERE NOT c.counted_in AND c.folded LIKE part), 0)
      - (SELECT count(*) FROM (SELECT folded FROM live_events WHERE over_at <= $2 OFFSET 0) l WHERE l.folded LIKE part);
  END $$;
`;
