/** A number is written as it is; a text so that no spreadsheet takes it for anything else. */
export type Cell = string | number;

/** What spreadsheets take for a formula, full width too; and texts of nothing but what numbers, times and days are written with. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
const NUMBER = /^(?=.*\d)[\d\s.,:/%'’−-]+(?:[eE][+-]?\d+)?$/;

/** RFC 4180: CRLF after every row, quotes around what has a comma, a quote or a line end. The first row is the head. */
export function csvFile(rows: readonly (readonly Cell[])[]): string {
  return rows.map((row) => `${row.map(written).join(',')}\r\n`).join('');
}

function written(cell: Cell): string {
  if (typeof cell === 'number') return String(cell);
  const text = FORMULA.test(cell) || NUMBER.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
