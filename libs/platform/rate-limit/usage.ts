/** How much of a limit is used at a moment. */
export interface Usage {
  readonly used: number;
  /** When there is more room than now, by the lapse of time alone; null when time alone brings none. */
  readonly resetsAt: Date | null;
}

/** What is counted and never lapses. */
export function lasting(used: number): Usage {
  return { used, resetsAt: null };
}

/** Up to the whole second, as the wire tells it: there is room at the moment that is told, not just before. */
export function wholeSecond(milliseconds: number): Date {
  return new Date(Math.ceil(milliseconds / 1000) * 1000);
}
