import type { Locale } from '#contract/vocabulary';
import type { RefusalCode } from '#contract/refusals';
import { envelopeOf } from '#platform/http/envelope';
import { Refusal, type FieldErrors } from '#platform/http/refusal';
import { withoutBadBreaks } from '../line-breaks';
import { translator } from '../texts';
import { FormConflict } from './form-precondition';
import type { RawFields } from './raw-fields';

/**
 * Codes of refusals that concern the page and not the typed values. `PageFilter` answers these refusals, unless their
 * code is in the `formCodes` of the form.
 */
const PAGE_CODES: ReadonlySet<RefusalCode> = new Set([
  'not_found',
  'forbidden',
  'banned',
  'unauthenticated',
  'payload_too_large',
]);

/**
 * The field whose value a refusal concerns, for codes that are more specific than `validation_failed`. `not_found` is
 * here for the check-in by a code.
 */
const FIELD_OF_CODE: Partial<Record<RefusalCode, string>> = {
  wrong_password: 'password',
  invalid_ticket_code: 'ticket_code',
  not_found: 'code',
  not_participant: 'code',
  photo_limit_reached: 'photos',
  user_not_invitable: 'user',
  already_participant: 'user',
  already_waitlisted: 'user',
  already_requested: 'user',
  already_invited: 'user',
  invalid_invitee: 'user',
  already_related: 'user',
  has_pending_request: 'user',
};

/** A refused form, which the page shows again with the typed values. */
export interface FormRefusal {
  readonly code: RefusalCode;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The message above the form, in the reader's language. */
  readonly text: string;
  readonly errors: FieldErrors;
  /**
   * The name of the field that the refusal's code concerns; null if the code concerns no single field. If the form has
   * this field, `text` is the error of the field.
   */
  readonly field: string | null;
  readonly conflict: FormConflict | null;
  readonly raw: RawFields;
  /** Whether files were sent; the reader has to choose them again. */
  readonly hadFiles: boolean;
}

/**
 * Converts an error to a refusal that the form shows. Rethrows the error if it is not a refusal, or if its code is in
 * PAGE_CODES but not in `formCodes`.
 *
 * @param formCodes the codes in PAGE_CODES whose refusals this form shows
 */
export function formRefusal(
  error: unknown,
  raw: RawFields,
  locale: Locale,
  hadFiles = false,
  formCodes: readonly RefusalCode[] = [],
): FormRefusal {
  if (!(error instanceof Refusal) || (PAGE_CODES.has(error.code) && !formCodes.includes(error.code))) throw error;
  const { status, headers, body } = envelopeOf(error, locale);
  const { etag: _etag, ...shown } = headers;
  return {
    code: error.code,
    status,
    headers: shown,
    text: error.details.errors ? translator(locale)('form_check') : withoutBadBreaks(body.message, locale),
    errors: error.details.errors ?? {},
    field: FIELD_OF_CODE[error.code] ?? null,
    conflict: error instanceof FormConflict ? error : null,
    raw,
    hadFiles,
  };
}
