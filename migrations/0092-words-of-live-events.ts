import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Parts of words, and one or two letters, are searched in the distinct words of all listed events. The former trigram
 * index took most of the time of writing a text of 5,000 characters (docs/adr/0006-live-events.md). A write of an event
 * does not update these tables: the words of changed events are counted later, and until then a search also reads the
 * changed events.
 */
export class WordsOfLiveEvents0092 implements MigrationInterface {
  readonly name = 'WordsOfLiveEvents0000000000092';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(FUNCTIONS);
    await runner.query(TABLES);
    await runner.query(COUNTING);
    await runner.query('SELECT live_words_recount()');
    await runner.query(`
      DROP INDEX live_events_folded;
      -- New words wait in a list and are sorted in together: a fifth of the price. A short one, because a search reads it.
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
  -- Every single character of folded text and every two that stand together in a word, once each. Trigrams are made in C, and know
  -- all of them: of "  a", " ab", "abc", "bc " the first two and the middle. Letters beyond ASCII they hash, so these are cut here.
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
  -- Distinct words of listed events, as f_words has them (their first 100 characters), and how many events have each.
  CREATE TABLE live_words (word text PRIMARY KEY, events integer NOT NULL);
  CREATE INDEX live_words_grams ON live_words USING gin (f_grams(word)) WITH (fastupdate = off);
  CREATE INDEX live_words_gone ON live_words (word) WHERE events = 0;
  -- What follows their hundredth character is not known here, so they are always looked at.
  CREATE INDEX live_words_long ON live_words (word) WHERE length(word) >= 100;
  -- How many listed events have these one or two characters.
  CREATE TABLE live_grams (gram text PRIMARY KEY, events integer NOT NULL);

  -- False until the change's words stand in both. What is there already is counted with the events themselves.
  ALTER TABLE live_event_changes ADD COLUMN counted_in boolean NOT NULL DEFAULT true;
  ALTER TABLE live_event_changes ALTER COLUMN counted_in SET DEFAULT false;
  CREATE INDEX live_event_changes_fresh ON live_event_changes (id) WHERE NOT counted_in;
`;

const COUNTING = `
  -- Counts everything anew: after rows were written to live_events with its triggers off.
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

  -- What events that have a text as a part must have by the index of words: every word of the text but the first and the last as it is,
  -- the last as a beginning, the first as an end. Words that end so are many when it is short, so then the others decide.
  -- Null: no word is like that, but for what is not counted in yet.
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

  -- How many listed events that have not ended have one or two characters that stand together. Null: the text is something else.
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
