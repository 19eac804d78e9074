const WORD = /[\p{L}\p{N}\p{M}]+/gu;

/** The words of a query (DISC-6). */
export function wordsIn(query: string): string[] {
  return query.normalize('NFC').match(WORD) ?? [];
}

/**
 * Returns the query for `hasWordsSql`. Returns null if the query is absent or contains no word: such a query does not
 * restrict the search.
 */
export function queryWithWords(query: string | null | undefined): string | null {
  return query && wordsIn(query).length > 0 ? query : null;
}

/**
 * Returns SQL that is true if every word of a query is the beginning of a word in a folded text (f_folded in
 * sql/functions.sql). `folded`: the SQL of the text. `query`: the placeholder of the query. The condition for the first
 * word is repeated in a form that the trigram index supports.
 */
export function hasWordsSql(folded: string, query: string): string {
  return `(${folded} LIKE '% ' || split_part(f_fold_words(${query}), ' ', 1) || '%' AND ${folded} LIKE ALL ((SELECT f_prefix_patterns(${query}))::text[]))`;
}
