/** How much of a limit an account has used at the time of the query. */
export interface Usage {
  readonly used: number;
  /**
   * The earliest time at which more of the limit is available than now, if the account does nothing. Null if waiting
   * does not help.
   */
  readonly resetsAt: Date | null;
}

/** The usage of a limit that counts existing objects, such as groups. Waiting does not reduce this usage. */
export function usageWithoutExpiry(used: number): Usage {
  return { used, resetsAt: null };
}

/**
 * Converts milliseconds since 1970 to a time, rounded up to a whole second, because times in the API have no fractions
 * of a second. A time that is rounded down could be too early: the limit would not allow more yet.
 */
export function wholeSecond(milliseconds: number): Date {
  return new Date(Math.ceil(milliseconds / 1000) * 1000);
}
