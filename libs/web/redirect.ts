import type { TextKey } from './texts';

/** A message about a sent form, which the next page shows. */
export interface FlashMessage {
  readonly text: TextKey;
  readonly values?: Readonly<Record<string, string | number>>;
}

/** The result of a handler that redirects (303) to another page of this service, for example after a form. */
export class Redirect {
  constructor(
    /** A path of this service, with the query. `PageInterceptor` puts the path of BASE_URL before this path. */
    readonly path: string,
    /**
     * The message is shown once, on the next page that this browser opens. If `path` has a fragment, the message is in
     * the part of the page whose id is this fragment (`flash.eta`).
     */
    readonly flash: FlashMessage | null = null,
    /** A secret that the page at `path` shows once (`takeSecret`). */
    readonly secret: string | null = null,
  ) {}

  /**
   * The same redirect with a secret. Because of the redirect, reloading the page does not send the form again. If the
   * form is sent again with its idempotency key, the new redirect has no secret.
   */
  withSecret(secret: string | null): Redirect {
    return new Redirect(this.path, this.flash, secret);
  }
}

/** `return redirectTo('/account?saved')`, or `redirectTo('/events/x', 'event_created')` with a message on that page. */
export function redirectTo(path: string, text?: TextKey, values?: FlashMessage['values']): Redirect {
  return new Redirect(path, text === undefined ? null : { text, ...(values && { values }) });
}
