import type { Scope } from '#contract/scopes';

/**
 * Raised before apps are deleted, if somebody has granted scopes to one of them. Each entry of `consents` contains a
 * person and the scopes that this person has granted to one of the apps.
 */
export class AppsDeleted {
  constructor(readonly consents: readonly { readonly userId: number; readonly scopes: readonly Scope[] }[]) {}
}

/** Raised when a person has disconnected an app. All grants that the person had given to the app have ended. */
export class AppDisconnected {
  constructor(
    readonly userId: number,
    /** All scopes that the person had granted to the app, including the scopes of grants that had already ended. */
    readonly scopes: readonly Scope[],
  ) {}
}
