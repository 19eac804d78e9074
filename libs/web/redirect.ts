/** The result of a handler that answers 303 with another page of this service, for example after a form. */
export class Redirect {
  constructor(
    /** A path of this service, with its query; the path of BASE_URL is added. */
    readonly path: string,
  ) {}
}

/** `return redirectTo('/account?saved')` */
export function redirectTo(path: string): Redirect {
  return new Redirect(path);
}
