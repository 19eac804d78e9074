-- The texts by which a person is found: the first two and the first three letters of each word of the folded text, and
-- each word with more than three letters. `is_part`: whether the text is only the beginning of words, and not itself a
-- word.
CREATE OR REPLACE FUNCTION f_name_parts(text) RETURNS TABLE (part text, is_part boolean) LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT AS $$
  SELECT p.part, bool_and(p.is_part)
    FROM (SELECT left(w, 100) AS w FROM unnest(string_to_array(btrim($1), ' ')) AS w) words,
         LATERAL (VALUES (left(w, 2), length(w) > 2, length(w) >= 2), (left(w, 3), length(w) > 3, length(w) >= 3), (w, false, length(w) >= 4))
           AS p (part, is_part, counts)
   WHERE p.counts GROUP BY p.part
$$;

CREATE OR REPLACE FUNCTION users_fold() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.folded := CASE WHEN NEW.gone THEN '' ELSE f_folded(NEW.name, NEW.nickname, NEW.slug) END;
  RETURN NEW;
END $$;

-- Updates the rows of people_words after a change of a searchable account. Bans are checked at the time of each search.
CREATE OR REPLACE FUNCTION people_words_follow() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' AND OLD.searchable AND NOT OLD.gone THEN
    DELETE FROM people_words p USING f_name_parts(OLD.folded) n
     WHERE p.part = n.part AND p.is_part = n.is_part AND p.name = OLD.name AND p.slug = OLD.slug;
  END IF;
  IF TG_OP <> 'DELETE' AND NEW.searchable AND NOT NEW.gone THEN
    INSERT INTO people_words (part, is_part, name, slug) SELECT n.part, n.is_part, NEW.name, NEW.slug FROM f_name_parts(NEW.folded) n
    ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END $$;
