import { CURRENCIES } from '#contract/vocabulary';

/**
 * The content of a cell. A number and a day (`{ day }`) are written unchanged. A string that a spreadsheet would read
 * as a formula, a number, an amount of money, a time or a day gets a `'` at its beginning.
 */
export type Cell = string | number | { readonly day: string };

/** Matches the first character of texts that spreadsheets may read as a formula. */
const FORMULA_START = /^[=+\-@\t\r\n]/;
const CURRENCY_NAME = [...CURRENCIES, 'Kč'].join('|');
/** Texts that spreadsheets read as a number, an amount of money, a time or a day; `(5)` is read as -5. */
const NUMBER_LIKE = new RegExp(
  `^(?=.*\\p{Nd})(?:[\\p{Nd}\\p{Sc}\\s.,:/%'’()−-]|${CURRENCY_NAME})+(?:e[+-]?\\p{Nd}+)?$`,
  'iu',
);
/** Times with AM or PM: `5:30 PM`. */
const TIME_LIKE = /^\d{1,2}(?:[:.]\d{2}){0,2}\s?[ap]m$/i;
const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
/** Days with the name of a month: `5 May`, `12-Jan-2026`. */
const DAY_LIKE = new RegExp(`^(?=.*\\d)(?:\\d{1,4}[\\s./-]*)?${MONTH}\\.?(?:[\\s,./-]*\\d{1,4}){0,2}$`, 'i');
/** The forms of texts that spreadsheets convert to another type. */
const CONVERTED_FORMS = [FORMULA_START, NUMBER_LIKE, TIME_LIKE, DAY_LIKE];

/**
 * Returns a CSV file (RFC 4180). Every row ends with CRLF. A cell with a comma, a quote or a line end is quoted.
 * Callers pass the header as the first row.
 */
export function csvFile(rows: readonly (readonly Cell[])[]): string {
  return rows.map((row) => `${row.map(csvCell).join(',')}\r\n`).join('');
}

function csvCell(cell: Cell): string {
  if (typeof cell === 'number') return String(cell);
  if (typeof cell === 'object') return cell.day;
  // Spreadsheets read full-width characters like ASCII: `＝1`, `５`, `＄5`.
  const halfWidth = cell.normalize('NFKC');
  const text = CONVERTED_FORMS.some((form) => form.test(halfWidth)) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
