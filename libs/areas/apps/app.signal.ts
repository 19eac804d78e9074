import type { Scope } from '#contract/scopes';

/** Raised when a person has disconnected an app. All grants that the person had given to the app have ended. */
export class AppDisconnected {
  constructor(
    readonly userId: number,
    /** All scopes that the person had allowed the app, also in grants that ended before. */
    readonly scopes: readonly Scope[],
  ) {}
}
