/** Thrown for a member's form whose session has ended, or is now another account's: `PageFilter` shows it with a sign-in. */
export class SessionExpired extends Error {
  constructor(
    /** The account that opened the form. */
    readonly userId: number,
  ) {
    super('The session of this form has ended.');
  }
}
