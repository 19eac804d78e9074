import { statement, type Statement } from '#platform/database/database';
import { isBannedSql } from '../identity/banned.policy';

/** The words of a query, without case and diacritics like the folded names, separated by one space. */
export const FOLD_QUERY = statement('people_fold_query', 'SELECT f_fold_words($1) AS folded');

/** A person in a page of results. An empty page is a row that contains only the total. */
export interface FoundRow {
  total: string;
  name: string | null;
  nickname: string | null;
  slug: string;
  avatar_key: string | null;
}

/**
 * SQL: searchable people whom the searcher $1 does not find: the searcher, banned people, and people who block the
 * searcher or whom the searcher blocks.
 */
const HIDDEN = `hidden AS MATERIALIZED (
  SELECT u.slug, u.folded FROM users u
   WHERE u.searchable AND NOT u.gone AND u.id IN (
     SELECT $1::bigint
     UNION SELECT blocker_id FROM user_blocks WHERE blocked_id = $1
     UNION SELECT blocked_id FROM user_blocks WHERE blocker_id = $1
     UNION SELECT b.id FROM users b WHERE ${isBannedSql('b')}))`;
const NOT_HIDDEN = 'slug NOT IN (SELECT h.slug FROM hidden h)';

/**
 * A search: $1 searcher, $2 the searched text, $3 limit, $4 offset. `parts` is the SQL of the subqueries `counted` (the
 * total) and `page` (the rows); `order` sorts the rows.
 */
function search(name: string, parts: string, order: string): Statement {
  return statement(
    `people_search_${name}`,
    `WITH ${HIDDEN}, ${parts}
SELECT counted.total, u.name, u.nickname, u.slug, u.avatar_key
  FROM counted LEFT JOIN (page JOIN users u ON u.slug = page.slug) ON true ORDER BY ${order}`,
  );
}

/**
 * A search for one word of two or three letters: people_words has a row for each person found, in the order of the
 * list.
 */
const BY_BEGINNING = search(
  'beginning',
  `counted AS MATERIALIZED (
  SELECT (SELECT count(*) FROM people_words WHERE part = $2::text)
       - (SELECT count(*) FROM hidden WHERE folded LIKE '% ' || $2::text || '%') AS total),
page AS MATERIALIZED (
  SELECT name, slug, is_part FROM people_words WHERE part = $2::text AND ${NOT_HIDDEN} ORDER BY is_part, name, slug LIMIT $3 OFFSET $4)`,
  'page.is_part, page.name, page.slug',
);

/** A search for one longer word. Several words of a person's name may begin with this word. */
const BY_WORD = search(
  'word',
  `found AS MATERIALIZED (
  SELECT name, slug, bool_or(part = $2::text) AS exact FROM people_words
   WHERE part >= $2::text AND part < $2::text || chr(1114111) AND ${NOT_HIDDEN} GROUP BY name, slug),
counted AS MATERIALIZED (SELECT count(*) AS total FROM found),
page AS MATERIALIZED (SELECT * FROM found ORDER BY exact DESC, name, slug LIMIT $3 OFFSET $4)`,
  'page.exact DESC, page.name, page.slug',
);

/** A search for several words, or for one letter. It uses the index of whole names. */
const BY_WORDS = search(
  'words',
  `found AS MATERIALIZED (
  SELECT name, slug, (SELECT count(*) FROM unnest(string_to_array($2::text, ' ')) AS w WHERE s.folded || ' ' LIKE '% ' || w || ' %') AS exact
    FROM users s WHERE s.searchable AND NOT s.gone AND f_words(s.folded) @@ (SELECT f_prefix_query($2::text)) AND ${NOT_HIDDEN}),
counted AS MATERIALIZED (SELECT count(*) AS total FROM found),
page AS MATERIALIZED (SELECT * FROM found ORDER BY exact DESC, name, slug LIMIT $3 OFFSET $4)`,
  'page.exact DESC, page.name, page.slug',
);

/** Maximum length of the beginnings of words that people_words stores. */
const LONGEST_BEGINNING = 3;

/** The statement for at least one word; all words differ. */
export function searchFor(words: readonly string[]): Statement {
  const [word = ''] = words;
  const letters = [...word].length;
  if (words.length > 1 || letters === 1) return BY_WORDS;
  return letters <= LONGEST_BEGINNING ? BY_BEGINNING : BY_WORD;
}
