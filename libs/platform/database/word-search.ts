/**
 * SQL: whether every word of a query (a placeholder) begins a word of a folded text, as f_folded (migration 0180) makes it. The
 * first word is asked for once more by itself, in the form that an index of trigrams is made for.
 */
export function hasWordsSql(folded: string, query: string): string {
  return `(${folded} LIKE '% ' || split_part(f_fold_words(${query}), ' ', 1) || '%' AND ${folded} LIKE ALL ((SELECT f_prefix_patterns(${query}))::text[]))`;
}
