/** A number is written unchanged. A text is written so that spreadsheets do not interpret it. */
export type Cell = string | number;

/**
 * Beginnings of formulas in spreadsheets (also full-width characters), and texts that look like numbers, times and
 * days.
 */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
const NUMBER = /^(?=.*\d)[\d\s.,:/%'’−-]+(?:[eE][+-]?\d+)?$/;

/**
 * RFC 4180: CRLF after every row, quotes around a cell with a comma, a quote or a line end. The first row is the
 * header.
 */
export function csvFile(rows: readonly (readonly Cell[])[]): string {
  return rows.map((row) => `${row.map(written).join(',')}\r\n`).join('');
}

function written(cell: Cell): string {
  if (typeof cell === 'number') return String(cell);
  const text = FORMULA.test(cell) || NUMBER.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
