/** The usage of a limit at a moment. */
export interface Usage {
  readonly used: number;
  /** When time alone makes more room than now; null if it does not. */
  readonly resetsAt: Date | null;
}

/** The usage of a limit without expiry. */
export function lasting(used: number): Usage {
  return { used, resetsAt: null };
}

/** Rounded up to the whole second of the API's format: there is room at that moment, not just after it. */
export function wholeSecond(milliseconds: number): Date {
  return new Date(Math.ceil(milliseconds / 1000) * 1000);
}
