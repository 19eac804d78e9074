/** Thrown for a form without the token of the current session. The response is the page of status 403 (PAGE-21). */
export class InvalidFormToken extends Error {
  constructor() {
    super('The form has no token of the current session.');
  }
}
