import type { Locale } from '#contract/vocabulary';

/**
 * Raised when the password or the e-mail address of an existing account is changed, by the person or by an operator. A
 * difference only in upper and lower case is not a change of the address. The transaction that raises this signal has
 * locked the account.
 */
export class UserCredentialsChanged {
  constructor(
    readonly userId: number,
    /** The former and the new address, if they exist. */
    readonly addresses: readonly string[],
  ) {}
}

/**
 * Raised when sessions of the web pages end for one of these reasons:
 * - The person ended the sessions.
 * - The password was set.
 * - In another browser, the person turned on a second step or requested the erasure of the account.
 * - Somebody signed in again in the same browser.
 * - A sign-in exceeded the maximum number of sessions.
 *
 * Not raised when a ban ends sessions, or when a session expires.
 */
export class SessionsEnded {
  constructor(
    readonly userId: number,
    /** The ids of the ended sessions; null if all sessions of the account have ended. */
    readonly ids: readonly string[] | null,
    /** If `ids` is null: the only session of the account that continues, or null if none continues. */
    readonly keptSessionId: string | null = null,
  ) {}
}

/**
 * Raised when an account is banned, by an operator or by a decision. The raising transaction has locked the account.
 */
export class UserBanned {
  constructor(readonly userId: number) {}
}

/** Raised when the e-mail address of an account was replaced or removed, but not when a first address was added. */
export class UserEmailChanged {
  constructor(
    readonly userId: number,
    /** The former address. */
    readonly former: string,
    readonly name: string,
    readonly locale: Locale,
  ) {}
}

/**
 * Raised before a user blocks the person with this slug, so that other areas can lock the rows that the block will
 * change.
 */
export class UserToBeBlocked {
  constructor(
    readonly blockerId: number,
    readonly slug: string,
  ) {}
}

/** Raised after a user has blocked the person with this slug, in the same transaction as `UserToBeBlocked`. */
export class UserBlocked {
  constructor(
    readonly blockerId: number,
    readonly slug: string,
  ) {}
}
