/**
 * Thrown for a form that a signed-in person opened, if the browser's session has ended or now belongs to another
 * account. `PageFilter` then asks for a sign-in.
 */
export class SessionExpired extends Error {
  constructor(
    /** The account that opened the form. */
    readonly userId: number,
    /** The address of the page that contains the form; null if the form is sent to the address of its page. */
    readonly page: string | null,
  ) {
    super('The session of this form has ended.');
  }
}
