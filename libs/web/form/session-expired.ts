/**
 * Thrown for a sent form that a signed-in person had opened, if the browser's session has ended since then or another
 * account has signed in. `PageFilter` then asks for a sign-in.
 */
export class SessionExpired extends Error {
  constructor(
    /** The account that opened the form. */
    readonly userId: number,
    /** The path of the page after signing in (`FormPages`). */
    readonly page: string,
  ) {
    super('The session of this form has ended.');
  }
}
