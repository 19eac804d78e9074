import type { Locale } from '#contract/vocabulary';
import { translateForPeople } from '../field-labels';
import { keyIn, newKey } from '../form/form-keys';
import type { FormRefusal } from '../form/form-refusal';
import { files, plainForm, text, area } from '../form/plan';

/** The form of a comment. The views contain the HTML: one form for a new comment, and one form per thread. */
export const COMMENT_FORM = plainForm(
  'comment',
  area('body', 'comment_body'),
  files('image', 'comment_image'),
  text('parent', 'comment_reply'),
);

/** A refused form: the typed values, and the reasons of the refusal. */
export interface FailedForm {
  readonly text: string;
  readonly errors: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, string>>;
  readonly hadFiles: boolean;
}

/** The comment forms of a page. */
export interface CommentForms {
  /** `to`: the address to which the forms are sent. `page`: the address of the page. */
  readonly to: string;
  readonly page: string;
  readonly mayWrite: boolean;
  /** Whether the page invites a visitor to sign in and comment. */
  readonly invites: boolean;
  readonly failed: FailedForm | null;
  /**
   * Returns the idempotency key of the form that answers the comment `parent` ('' for a new comment). A refused form
   * keeps its key when the form is shown again.
   */
  readonly key: (parent: string) => string;
}

export function commentFormsOf(
  page: string,
  mayWrite: boolean,
  locale: Locale,
  refusal: FormRefusal | null | undefined = null,
  invites = false,
): CommentForms {
  const failed = failedFormOf(refusal ?? null, locale);
  const refusedKey = refusal && keyIn(refusal.raw)?.[1];
  return {
    to: `${page}/comments`,
    page,
    mayWrite,
    invites,
    failed,
    key: (parent) => (failed && refusedKey && (failed.values.parent ?? '') === parent ? refusedKey : newKey()[1]),
  };
}

/**
 * Returns the typed values and the errors of a refused form whose HTML is written in a view. Errors of list items
 * (`photos.1`) are shown at the list (`photos`).
 */
export function failedFormOf(refusal: FormRefusal | null, locale: Locale): FailedForm | null {
  if (!refusal) return null;
  const errors = Object.entries(refusal.errors).flatMap(([field, [first]]) =>
    first ? [[field.split('.', 1)[0] ?? field, translateForPeople(first, locale)]] : [],
  );
  const values = Object.entries(refusal.raw).map(([name, [first = '']]) => [name, first]);
  return {
    text: refusal.text,
    errors: Object.fromEntries(errors) as Record<string, string>,
    values: Object.fromEntries(values) as Record<string, string>,
    hadFiles: refusal.hadFiles,
  };
}
