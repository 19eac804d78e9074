import type { Scope } from '#contract/scopes';

/**
 * Raised before apps are deleted. Each of `consents` is a person and the scopes that the person has allowed one of the
 * apps.
 */
export class AppsDeleted {
  constructor(readonly consents: readonly { readonly userId: number; readonly scopes: readonly Scope[] }[]) {}
}

/** Raised when a person has disconnected an app. All grants that the person had given to the app have ended. */
export class AppDisconnected {
  constructor(
    readonly userId: number,
    /** All scopes that the person had allowed the app, also in grants that ended before. */
    readonly scopes: readonly Scope[],
  ) {}
}
