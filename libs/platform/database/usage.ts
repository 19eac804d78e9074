/** How much of a limit an account has used at the time of the query. */
export interface Usage {
  readonly used: number;
  /**
   * The time from which the limit allows more than now, even if the account does nothing; null if there is no such
   * time.
   */
  readonly resetsAt: Date | null;
}

/** The usage of a limit that counts existing objects, such as groups. Waiting alone does not free any of this limit. */
export function usageWithoutExpiry(used: number): Usage {
  return { used, resetsAt: null };
}

/**
 * Converts milliseconds since 1970 to a time, rounded up to a whole second, because times in the API have no fractions
 * of a second. A time that is rounded down could be before the time from which the limit allows more.
 */
export function wholeSecond(milliseconds: number): Date {
  return new Date(Math.ceil(milliseconds / 1000) * 1000);
}
