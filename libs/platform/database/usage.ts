/** How much of a limit is used at a moment. */
export interface Usage {
  readonly used: number;
  /** The time when the limit will allow more than now, without any action; null if there is no such time. */
  readonly resetsAt: Date | null;
}

/** The usage of a limit whose use does not expire. */
export function usageWithoutExpiry(used: number): Usage {
  return { used, resetsAt: null };
}

/**
 * Rounds up to a whole second, because times in the API have no fractions. A time that is rounded down could come
 * before the action is allowed.
 */
export function wholeSecond(milliseconds: number): Date {
  return new Date(Math.ceil(milliseconds / 1000) * 1000);
}
