/**
 * The content of a cell. A number is written unchanged. A text that a spreadsheet would read as a formula or a number
 * gets a `'` at its beginning.
 */
export type Cell = string | number;

/** The first characters of formulas in spreadsheets, also in full width. */
const FORMULA_START = /^[=+\-@\t\r\n＝＋－＠]/;
/** Texts that spreadsheets read as a number, a time or a day. */
const NUMBER_LIKE = /^(?=.*\d)[\d\s.,:/%'’−-]+(?:[eE][+-]?\d+)?$/;

/**
 * Returns a CSV file (RFC 4180). Every row ends with CRLF. A cell with a comma, a quote or a line end is quoted. The
 * first row is the header.
 */
export function csvFile(rows: readonly (readonly Cell[])[]): string {
  return rows.map((row) => `${row.map(csvCell).join(',')}\r\n`).join('');
}

function csvCell(cell: Cell): string {
  if (typeof cell === 'number') return String(cell);
  const text = FORMULA_START.test(cell) || NUMBER_LIKE.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
