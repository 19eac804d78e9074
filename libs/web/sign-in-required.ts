/** Thrown if a visitor requests a page for members. `PageFilter` redirects the visitor to the sign-in form. */
export class SignInRequired extends Error {
  constructor(
    /** The path of the page that is shown after signing in; null for the default page. */
    readonly next: string | null,
  ) {
    super('This page is for members only.');
  }
}
