/** Money is counted in whole cents (hellers); on the wire it is a number of units with two decimals (EXP-8). */
const CENTS = 100;

export function toCents(units: number): number {
  return Math.round(units * CENTS);
}

/** The nearest number to so many cents, which prints with at most two decimals. */
export function toUnits(cents: number): number {
  return cents / CENTS;
}

/** Equal shares that add up to the amount exactly: the odd cents go to the first sharers. */
export function equalShares(cents: number, sharers: number): number[] {
  const odd = cents % sharers;
  return Array.from({ length: sharers }, (_, index) => Math.floor(cents / sharers) + (index < odd ? 1 : 0));
}
