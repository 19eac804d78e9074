import { keyFieldIn, newKey } from '../form/form-keys';
import type { FormRefusal } from '../form/form-refusal';
import { alertText, faultsOf, type Fault } from '../form/form-faults';
import { files, plainForm, text, area, type FormPlan } from '../form/plan';
import type { FormReader } from '../form/raw-fields';
import { translator } from '../texts';

/** The form of a comment. The views contain the HTML: one form for a new comment, and one form per thread. */
export const COMMENT_FORM = plainForm(
  'comment',
  area('body', 'comment_body'),
  files('image', 'comment_image'),
  text('parent', 'comment_reply'),
);

/** The form for photos of an event. The view contains its HTML. */
export const PHOTOS_FORM = plainForm('photos', files('photos', 'photos', { many: true }));

/** A refused form: the typed values, and the reasons of the refusal. */
export interface FailedForm {
  readonly text: string;
  readonly faults: readonly Fault[];
  readonly errors: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, string>>;
  readonly hadFiles: boolean;
}

/** The comment forms of a page. */
export interface CommentForms {
  /** The address to which the forms are sent. */
  readonly to: string;
  /** The address of the page. */
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
  reader: FormReader,
  refusal: FormRefusal | null = null,
  invites = false,
): CommentForms {
  const failed = failedFormOf(COMMENT_FORM, refusal, reader);
  const refusedKey = refusal && keyFieldIn(refusal.raw)?.[1];
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
export function failedFormOf(plan: FormPlan, refusal: FormRefusal | null, reader: FormReader): FailedForm | null {
  if (!refusal) return null;
  const faults = faultsOf(plan, refusal.raw, refusal, reader);
  const values = Object.entries(refusal.raw).map(([name, [first = '']]) => [name, first]);
  return {
    text: alertText(refusal, faults, translator(reader.locale)),
    faults,
    errors: Object.fromEntries(faults.map(({ name, text: reason }) => [name ?? '', reason])),
    values: Object.fromEntries(values) as Record<string, string>,
    hadFiles: refusal.hadFiles,
  };
}
