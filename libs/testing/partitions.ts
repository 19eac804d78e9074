/** Returns the partitioned table of a partition (by week, by day or `rest`). Returns any other name unchanged. */
export function tableOf(name: string): string {
  return name.replace(/^(changes|request_log)_(?:\d{8}|rest)$/, '$1');
}
