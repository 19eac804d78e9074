/**
 * Cents (hellers) per unit. The code calculates in whole cents. The API uses units with at most two decimals (EXP-8).
 */
const CENTS = 100;

export function toCents(units: number): number {
  return Math.round(units * CENTS);
}

/** Returns the amount in units, as the nearest floating-point number. As a text, it has at most two decimals. */
export function toUnits(cents: number): number {
  return cents / CENTS;
}

/** Equal shares that add up exactly to the amount. If cents remain, each of the first sharers pays one of them. */
export function equalShares(cents: number, sharers: number): number[] {
  const remainder = cents % sharers;
  return Array.from({ length: sharers }, (_, index) => Math.floor(cents / sharers) + (index < remainder ? 1 : 0));
}
