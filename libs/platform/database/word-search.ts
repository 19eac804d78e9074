/**
 * Returns SQL that is true if every word of a query is the beginning of a word in a folded text (f_folded, migration
 * 0180). `query`: a placeholder. The condition for the first word is repeated in a form that the trigram index supports.
 */
export function hasWordsSql(folded: string, query: string): string {
  return `(${folded} LIKE '% ' || split_part(f_fold_words(${query}), ' ', 1) || '%' AND ${folded} LIKE ALL ((SELECT f_prefix_patterns(${query}))::text[]))`;
}
