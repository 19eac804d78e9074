import type { Locale } from '#contract/vocabulary';

/** Raised when an existing account gets another password or address, by whichever way. The account is locked. */
export class UserCredentialsChanged {
  constructor(
    readonly userId: number,
    /** The addresses before and after, where there was one. */
    readonly addresses: readonly string[],
  ) {}
}

/** Raised when an account that had an address has another one, or none. */
export class UserEmailChanged {
  constructor(
    readonly userId: number,
    /** The address it had. */
    readonly former: string,
    readonly name: string,
    readonly locale: Locale,
  ) {}
}
