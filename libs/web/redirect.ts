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
  ) {}
}

/** `return redirectTo('/account?saved')`, or `redirectTo('/events/x', 'event_created')` with a message on that page. */
export function redirectTo(path: string, text?: TextKey, values?: FlashMessage['values']): Redirect {
  return new Redirect(path, text === undefined ? null : { text, ...(values && { values }) });
}
