/**
 * Writes a number below 1e21 without an exponent: `0.0000005` and not `5e-7`. Forms, queries (WIRE-14) and iCalendar do
 * not accept exponents.
 */
export function decimalText(value: number): string {
  const text = String(value);
  const [, sign = '', digits = '', zeros] = /^(-?)([\d.]+)e-(\d+)$/.exec(text) ?? [];
  return zeros === undefined ? text : `${sign}0.${'0'.repeat(Number(zeros) - 1)}${digits.replace('.', '')}`;
}
