/**
 * Thrown for a member's form whose session has ended or now belongs to another account. `PageFilter` then asks for a
 * sign-in.
 */
export class SessionExpired extends Error {
  constructor(
    /** The account that opened the form. */
    readonly userId: number,
    /** The page that contains the form; null if its address is the address of the form. */
    readonly page: string | null,
  ) {
    super('The session of this form has ended.');
  }
}
