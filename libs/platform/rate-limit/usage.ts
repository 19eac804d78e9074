/** The usage of a limit at a moment. */
export interface Usage {
  readonly used: number;
  /** The time when the limit allows more than now without any action; null if there is no such time. */
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
