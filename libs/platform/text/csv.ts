/**
 * The content of a cell. A number is written unchanged. A text is written in a form that spreadsheets do not interpret.
 */
export type Cell = string | number;

/**
 * Beginnings of formulas in spreadsheets (also full-width characters), and texts that look like numbers, times and
 * days.
 */
const FORMULA_START = /^[=+\-@\t\r\n＝＋－＠]/;
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
