import type { Locale } from '#contract/vocabulary';

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
