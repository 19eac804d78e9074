-- The texts by which a person is found. The parameter is the folded text (`users.folded`: lower case, without
-- diacritics). The result contains each word of this text, cut to 100 characters. It also contains the first two
-- letters of words with more than two letters, and the first three letters of words with more than three letters.
-- `is_part`: whether a result is only the beginning of words, and not itself a word.
CREATE OR REPLACE FUNCTION f_name_parts(text) RETURNS TABLE (part text, is_part boolean) LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT AS $$
  SELECT p.part, bool_and(p.is_part)
    FROM (SELECT left(w, 100) AS w FROM unnest(string_to_array(btrim($1), ' ')) AS w WHERE w <> '') words,
         LATERAL (VALUES (left(w, 2), true, length(w) > 2), (left(w, 3), true, length(w) > 3), (w, false, true))
           AS p (part, is_part, counts)
   WHERE p.counts GROUP BY p.part
$$;

-- Compares the word $2 of the folded text $1 with the words of this text that come before $2 in alphabetical order.
-- Returns the largest number of first letters that $2 has in common with one of these earlier words; 0 if there are
-- none. If several words begin with the same n letters, only the first of them in alphabetical order has a result
-- below n, so a search for these letters finds the account once.
CREATE OR REPLACE FUNCTION f_shared_letters(text, text) RETURNS smallint LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT AS $$
  SELECT coalesce(max(n), 0)::smallint FROM unnest(string_to_array(btrim($1), ' ')) AS w, generate_series(1, length($2)) AS n
   WHERE left(w, 100) COLLATE "C" < $2 COLLATE "C" AND left(w, n) = left($2, n)
$$;

CREATE OR REPLACE FUNCTION users_fold() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.folded := CASE WHEN NEW.gone THEN '' ELSE f_folded(NEW.name, NEW.nickname, NEW.slug) END;
  RETURN NEW;
END $$;

-- Writes the rows of people_words for a searchable account.
CREATE OR REPLACE FUNCTION people_words_insert(account users) RETURNS void LANGUAGE sql AS $$
  INSERT INTO people_words (part, is_part, name, slug, folded, shared)
  SELECT n.part, n.is_part, account.name, account.slug, account.folded,
         CASE WHEN n.is_part THEN 0 ELSE f_shared_letters(account.folded, n.part) END
    FROM f_name_parts(account.folded) n
  ON CONFLICT DO NOTHING
$$;

CREATE OR REPLACE FUNCTION people_words_delete(account users) RETURNS void LANGUAGE sql AS $$
  DELETE FROM people_words p USING f_name_parts(account.folded) n
   WHERE p.part = n.part AND p.is_part = n.is_part AND p.name = account.name AND p.slug = account.slug
$$;

-- Updates the rows of people_words after a change of an account that is or was searchable. Banned accounts keep their
-- rows, because each search checks bans itself.
CREATE OR REPLACE FUNCTION people_words_follow() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' AND OLD.searchable AND NOT OLD.gone THEN
    PERFORM people_words_delete(OLD);
  END IF;
  IF TG_OP <> 'DELETE' AND NEW.searchable AND NOT NEW.gone THEN
    PERFORM people_words_insert(NEW);
  END IF;
  RETURN NULL;
END $$;

-- Rewrites the rows of people_words that were written before migration 0530 (their `folded` is null). Each call reads
-- at most `batch` such rows and rewrites all rows of their accounts. Accounts that another transaction is changing are
-- left to a later call. Returns the ids of the accounts.
CREATE OR REPLACE FUNCTION people_words_rewrite(batch integer) RETURNS SETOF bigint LANGUAGE plpgsql AS $$
DECLARE
  account users;
BEGIN
  FOR account IN SELECT * FROM users WHERE slug IN (SELECT w.slug FROM people_words w WHERE w.folded IS NULL LIMIT batch)
                    FOR NO KEY UPDATE SKIP LOCKED LOOP
    PERFORM people_words_delete(account);
    PERFORM people_words_insert(account);
    RETURN NEXT account.id;
  END LOOP;
END $$;
