/**
 * Returns the name of the table to which a partition (of a week, of a day, or `rest`) belongs. Returns any other name
 * unchanged.
 */
export function tableOf(name: string): string {
  return name.replace(/^(changes|request_log)_(?:\d{8}|rest)$/, '$1');
}
