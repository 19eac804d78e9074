import { statement, type Statement } from '#platform/database/database';
import { blockedEitherWaySql, isBannedSql } from '../identity/account-conditions.sql';

/** The words of the search text $1 in lower case without diacritics, separated by one space, as in `users.folded`. */
export const FOLD_QUERY = statement('people_fold_query', 'SELECT f_fold_words($1) AS folded');

/** A person in a page of results. For an empty page, the query returns one row that contains only the total. */
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
  SELECT u.slug, u.folded FROM users u WHERE u.searchable AND NOT u.gone AND ${isBannedSql('u')}
  UNION SELECT u.slug, u.folded FROM users u
   WHERE u.searchable AND NOT u.gone AND u.id IN (
     SELECT $1::bigint
     UNION ${blockedEitherWaySql('$1')}))`;
const NOT_HIDDEN = 'slug NOT IN (SELECT h.slug FROM hidden h)';

/**
 * SQL condition on people_words (docs/adr/0351-people-search.md): selects the rows of words that begin with $2. If
 * several words of a person begin with $2, only the row of the alphabetically first of these words is selected, so a
 * person is found once.
 */
const BEGINS = 'part >= $2::text AND part < $2::text || chr(1114111) AND NOT is_part AND shared < length($2::text)';
/**
 * SQL: the condition that replaces BEGINS if $2 has two or three letters. This condition is simpler, because the first
 * two and the first three letters of every word have their own rows.
 */
const BEGINS_SHORT = 'part = $2::text';

/**
 * A search: $1 searcher, $2 the searched word, $3 limit, $4 offset. `subqueries` is SQL that contains the subqueries
 * `counted` (the total) and `page` (the rows). `order` sorts the rows.
 */
function searchStatement(name: string, subqueries: string, order: string): Statement {
  return statement(
    `people_search_${name}`,
    `WITH ${HIDDEN}, ${subqueries}
SELECT counted.total, u.name, u.nickname, u.slug, u.avatar_key
  FROM counted LEFT JOIN (page JOIN users u ON u.slug = page.slug) ON true ORDER BY ${order}`,
  );
}

/**
 * SQL: the number of rows that meet the condition (at most one for each person), minus the number of hidden people with
 * a word that begins with $2. BEGINS does not find rows that an older release wrote (`shared` is null), but all hidden
 * people are subtracted. The difference can therefore be negative; the result is then 0.
 */
const countOf = (condition: string): string => `counted AS MATERIALIZED (
  SELECT greatest(0, (SELECT count(*) FROM people_words WHERE ${condition})
                   - (SELECT count(*) FROM hidden WHERE folded LIKE '% ' || $2::text || '%')) AS total)`;

/** A search for one word of two or three letters. The index already has the order of the result. */
const BY_BEGINNING = searchStatement(
  'beginning',
  `${countOf(BEGINS_SHORT)},
page AS MATERIALIZED (
  SELECT name, slug, is_part FROM people_words WHERE ${BEGINS_SHORT} AND ${NOT_HIDDEN} ORDER BY is_part, name, slug LIMIT $3 OFFSET $4)`,
  'page.is_part, page.name, page.slug',
);

/**
 * A search for one word of any other length. People with exactly this word come first, in the order of the index. The
 * other people are read and sorted only if the people with exactly this word do not fill the requested page.
 */
const BY_WORD = searchStatement(
  'word',
  `${countOf(BEGINS)},
exact AS MATERIALIZED (
  SELECT name, slug, true AS exact FROM people_words WHERE part = $2::text AND NOT is_part AND ${NOT_HIDDEN} ORDER BY name, slug LIMIT $3::bigint + $4::bigint),
page AS MATERIALIZED (
  SELECT * FROM exact UNION ALL (
    SELECT name, slug, false FROM people_words
     WHERE (SELECT count(*) FROM exact) < $3::bigint + $4::bigint AND ${BEGINS} AND part <> $2::text AND ${NOT_HIDDEN} ORDER BY name, slug LIMIT $3::bigint + $4::bigint)
  ORDER BY exact DESC, name, slug LIMIT $3 OFFSET $4)`,
  'page.exact DESC, page.name, page.slug',
);

/**
 * A search for several words: $2 is the longest word, and $5 contains the other words. The condition `begins` finds
 * people by $2.
 */
function byWords(name: string, begins: string): Statement {
  return searchStatement(
    name,
    `found AS MATERIALIZED (
  SELECT name, slug, (SELECT count(*) FROM unnest($2::text || $5::text[]) AS w WHERE folded || ' ' LIKE '% ' || w || ' %') AS exact
    FROM people_words
   WHERE ${begins} AND folded LIKE ALL (ARRAY(SELECT '% ' || w || '%' FROM unnest($5::text[]) AS w)) AND ${NOT_HIDDEN}),
counted AS MATERIALIZED (SELECT count(*) AS total FROM found),
page AS MATERIALIZED (SELECT * FROM found ORDER BY exact DESC, name, slug LIMIT $3 OFFSET $4)`,
    'page.exact DESC, page.name, page.slug',
  );
}

const BY_WORDS = byWords('words', BEGINS);
const BY_SHORT_WORDS = byWords('short_words', BEGINS_SHORT);

/**
 * The statement that searches for these words, and the values of its parameters. There is at least one word, and all
 * words differ.
 */
export function searchFor(
  words: readonly string[],
  { searcherId, limit, offset }: { readonly searcherId: number; readonly limit: number; readonly offset: number },
): { readonly sql: Statement; readonly values: readonly unknown[] } {
  const [longest = '', ...others] = words.toSorted((a, b) => b.length - a.length);
  const hasTwoOrThreeLetters = [2, 3].includes([...longest].length);
  const values = [searcherId, longest, limit, offset];
  if (others.length === 0) return { sql: hasTwoOrThreeLetters ? BY_BEGINNING : BY_WORD, values };
  return { sql: hasTwoOrThreeLetters ? BY_SHORT_WORDS : BY_WORDS, values: [...values, others] };
}
