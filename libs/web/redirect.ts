import type { TextKey } from './texts';

/** A message on the page to which a form leads. */
export interface Told {
  readonly text: TextKey;
  readonly values?: Readonly<Record<string, string | number>>;
}

/** The result of a handler that answers 303 with another page of this service, for example after a form. */
export class Redirect {
  constructor(
    /** A path of this service, with its query; the path of BASE_URL is added. */
    readonly path: string,
    /** Shown once, on the next page that this browser opens. */
    readonly told: Told | null = null,
  ) {}
}

/** `return redirectTo('/account?saved')`, or `redirectTo('/events/x', 'event_created')` with a message on that page. */
export function redirectTo(path: string, text?: TextKey, values?: Told['values']): Redirect {
  return new Redirect(path, text === undefined ? null : { text, ...(values && { values }) });
}
