import type { Scope } from '#contract/scopes';

/** A person has disconnected an app: everything that it was allowed has ended. */
export class AppDisconnected {
  constructor(
    readonly userId: number,
    /** All scopes that the ended grants had. */
    readonly scopes: readonly Scope[],
  ) {}
}
