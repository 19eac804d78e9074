import type { Locale } from '#contract/vocabulary';

/** Raised when an existing account gets another password or address in any way. The account is locked. */
export class UserCredentialsChanged {
  constructor(
    readonly userId: number,
    /** The former and the new address, as far as there are any. */
    readonly addresses: readonly string[],
  ) {}
}

/**
 * Raised when a person ends sessions of the pages, or a new password does; not for a ban, and not when a session expires.
 */
export class SessionsEnded {
  constructor(
    readonly userId: number,
    /** Null: all. */
    readonly ids: readonly string[] | null,
    /** The session that stays. */
    readonly except: string | null = null,
  ) {}
}

/** Raised when an account's address was changed or removed. */
export class UserEmailChanged {
  constructor(
    readonly userId: number,
    /** The former address. */
    readonly former: string,
    readonly name: string,
    readonly locale: Locale,
  ) {}
}

/** Raised before a user blocks the person with this slug: higher areas lock what the block will change. */
export class UserToBeBlocked {
  constructor(
    readonly blockerId: number,
    readonly slug: string,
  ) {}
}

/** Raised when a user has blocked the person with this slug, in the same transaction as `UserToBeBlocked`. */
export class UserBlocked {
  constructor(
    readonly blockerId: number,
    readonly slug: string,
  ) {}
}
