-- Indexes and tables (for example live_events, live_grams and users) store results of f_visible_text, f_fold_words,
-- f_fold_text, f_folded, f_words and f_grams. A change of one of these functions needs a numbered migration that
-- rebuilds the indexes and computes the stored results again. Exception: a change that only adds letters or punctuation
-- to the patterns of f_fold_words needs no migration if the following is acceptable. Until a stored text with these
-- characters is changed, searches for these characters, or for words next to them, do not find the text.

-- Takes an advisory lock until the transaction ends. Fails with EV001 if another transaction has this lock
-- (docs/adr/0295-keys-in-the-transaction.md).
CREATE OR REPLACE FUNCTION lock_transaction(number bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF NOT pg_try_advisory_xact_lock(number) THEN
    RAISE EXCEPTION 'another transaction has the lock %', number USING ERRCODE = 'EV001';
  END IF;
END $$;

-- The visible text of an HTML description.
CREATE OR REPLACE FUNCTION f_visible_text(text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT AS $$
  SELECT replace(replace(replace(replace(
  regexp_replace(regexp_replace($1, '</?(b|i|u|s|em|strong|a)( [^>]*)?>', '', 'g'), '<[^>]*>', ' ', 'g'),
  '&lt;', '<'), '&gt;', '>'), '&quot;', '"'), '&amp;', '&')
$$;

-- The words of a text in lower case and without accents, separated by single spaces.
CREATE OR REPLACE FUNCTION f_fold_words(text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT AS $$
DECLARE
  plain text := lower(public.unaccent('public.unaccent'::regdictionary, $1));
BEGIN
  IF octet_length(plain) = length(plain) THEN
    RETURN btrim(regexp_replace(plain, '[^a-z0-9]+', ' ', 'g'));
  END IF;
  plain := lower(public.unaccent('public.unaccent'::regdictionary, normalize($1, NFC)));
  -- The second class is the punctuation that the ranges of the first class include.
  RETURN btrim(regexp_replace(plain, '([^a-z0-9\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02af\u0370-\u037d\u037f-\u0386\u0388-\u1fff\u2c00-\u2dff\u3005\u3006\u3041-\ud7ff\uf900-\ufdff\ufe70-\ufefe\uff66-\uffdc\U00010000-\U0001cbff\U0001d400-\U0001d7ff\U0001df00-\U0001efff\U00020000-\U0003ffff]|[\u055a-\u055f\u0589-\u058a\u05be\u05c0\u05c3\u05c6\u05f3-\u05f4\u0609-\u060a\u060c-\u060d\u061b\u061d-\u061f\u066a-\u066d\u06d4\u0700-\u070d\u07f7-\u07f9\u0830-\u083e\u085e\u0964-\u0965\u0970\u09fd\u0a76\u0af0\u0c77\u0c84\u0df4\u0e4f\u0e5a-\u0e5b\u0f04-\u0f12\u0f14\u0f3a-\u0f3d\u0f85\u0fd0-\u0fd4\u0fd9-\u0fda\u104a-\u104f\u10fb\u1360-\u1368\u1400\u166e\u1680\u169b-\u169c\u16eb-\u16ed\u1735-\u1736\u17d4-\u17d6\u17d8-\u17da\u1800-\u180a\u1944-\u1945\u1a1e-\u1a1f\u1aa0-\u1aa6\u1aa8-\u1aad\u1b4e-\u1b4f\u1b5a-\u1b60\u1b7d-\u1b7f\u1bfc-\u1bff\u1c3b-\u1c3f\u1c7e-\u1c7f\u1cc0-\u1cc7\u1cd3])+', ' ', 'g'));
END $$;

-- A text in lower case and without accents, with its punctuation. One space replaces each run of white space. In some
-- locales `\s` does not match no-break spaces, so the pattern lists them.
CREATE OR REPLACE FUNCTION f_fold_text(text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT AS $$
DECLARE
  plain text := lower(public.unaccent('public.unaccent'::regdictionary, $1));
BEGIN
  -- Normalizing takes longer than everything else.
  IF octet_length(plain) <> length(plain) THEN
    plain := lower(public.unaccent('public.unaccent'::regdictionary, normalize($1, NFC)));
  END IF;
  RETURN btrim(regexp_replace(plain, '[\s\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+', ' ', 'g'));
END $$;

-- The words of three texts, with a space before each word. Used by the indexes groups_words and posts_words, and for
-- users.folded.
CREATE OR REPLACE FUNCTION f_folded(text, text, text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT ' ' || public.f_fold_words(coalesce($1, '') || ' ' || coalesce($2, '') || ' ' || coalesce($3, ''))
$$;

-- The distinct words of a text as a tsvector, each cut to 100 characters. Used by the index live_events_words.
CREATE OR REPLACE FUNCTION f_words(text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT AS $$
  SELECT array_to_tsvector(ARRAY(SELECT DISTINCT left(w, 100) FROM unnest(string_to_array($1, ' ')) AS w WHERE w <> ''))
$$;

-- All single characters, and all pairs of adjacent characters, of the words of a text. Used by the index
-- live_words_grams and for live_grams.
CREATE OR REPLACE FUNCTION f_grams(text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT AS $$
  SELECT CASE WHEN octet_length($1) = length($1) THEN
    ARRAY(SELECT DISTINCT g FROM unnest(public.show_trgm($1)) AS t, LATERAL (VALUES (substr(t, 2, 1)), (substr(t, 1, 2))) AS v (g) WHERE position(' ' IN g) = 0)
  ELSE
    ARRAY(SELECT DISTINCT substr(w, i, k) FROM (SELECT DISTINCT w FROM unnest(string_to_array($1, ' ')) AS w) words,
            generate_series(1, length(w)) AS i, generate_series(1, 2) AS k WHERE i + k <= length(w) + 1)
  END
$$;

-- A query for f_words that finds the texts in which the given text may be a substring. The calling statement checks the
-- found texts. The calling statement must also search the new texts in live_event_changes whose words are not yet in
-- live_words (`counted_in` is false). If folding leaves no word of the given text, the query finds every text.
CREATE OR REPLACE FUNCTION f_part_query(text) RETURNS tsquery LANGUAGE plpgsql STABLE STRICT AS $$
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

-- A search by beginnings of words finds a text if each word of the argument is the beginning of a word of the text:
-- f_prefix_query returns a query for f_words, and f_prefix_patterns returns patterns for LIKE ALL. If folding leaves no
-- word of the argument (as with circled numbers), the query and the patterns match every text.
CREATE OR REPLACE FUNCTION f_prefix_query(text) RETURNS tsquery LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT AS $$
  SELECT coalesce(string_agg('''' || left(w, 100) || ''':*', ' & '), '!''~''')::tsquery FROM unnest(string_to_array(f_fold_words($1), ' ')) AS w
$$;

CREATE OR REPLACE FUNCTION f_prefix_patterns(text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT AS $$
  SELECT coalesce(array_agg('% ' || w || '%'), '{}') FROM unnest(string_to_array(f_fold_words($1), ' ')) AS w
$$;

-- For BEFORE UPDATE triggers of tables with versions. The first argument lists the columns that only the service
-- writes: their changes affect neither updated_at nor the version. The optional second argument lists columns that are
-- shown, but that the owner does not write: their changes affect only updated_at. If another column changes, the row
-- gets a new version (docs/rules/retries.md). Versions are numbers of one sequence for all tables, so a version is
-- never reused.
CREATE OR REPLACE FUNCTION give_version() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  was jsonb := to_jsonb(OLD) - TG_ARGV[0]::text[];
  becomes jsonb := to_jsonb(NEW) - TG_ARGV[0]::text[];
BEGIN
  IF was = becomes THEN
    NEW.updated_at := OLD.updated_at;
  -- Sealing the same text under another secret is not a change (platform/installation/rotation.ts).
  ELSIF current_setting('events.resealing', true) IS DISTINCT FROM 'on'
    AND (TG_NARGS = 1 OR was - TG_ARGV[1]::text[] <> becomes - TG_ARGV[1]::text[]) THEN
    NEW.version := nextval('versions');
  END IF;
  RETURN NEW;
END $$;

-- When something has been hidden, notifies every process that reads from replicas (docs/adr/0300-read-replicas.md).
-- Triggers call this function, because the command line and jobs also remove content and ban accounts. The setting
-- changes.hidden informs the process that makes the commit (`HIDDEN` in open-transaction.ts), because the notification
-- may arrive later than the response to the client.
CREATE OR REPLACE FUNCTION notify_out_of_sight() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('out_of_sight', ''), set_config('changes.hidden', 'on', true);
  RETURN NULL;
END $$;
