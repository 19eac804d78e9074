import type { Locale } from '#contract/vocabulary';
import type { RefusalCode } from '#contract/refusals';
import { envelopeOf } from '#platform/http/envelope';
import { Refusal, type FieldErrors } from '#platform/http/refusal';
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

/** A refused form, which the page shows again with the typed values. */
export interface FormRefusal {
  readonly code: RefusalCode;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The message above the form, in the reader's language. */
  readonly text: string;
  readonly errors: FieldErrors;
  readonly conflict: FormConflict | null;
  readonly raw: RawFields;
  /** Whether files were sent; the reader has to choose them again. */
  readonly hadFiles: boolean;
}

/**
 * Converts an error to a refusal that the form shows. Throws the error again if it is not a refusal, or if its code is
 * in PAGE_CODES but not in `formCodes`.
 *
 * @param formCodes the codes in PAGE_CODES that this form shows itself
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
    text: error.details.errors ? translator(locale)('form_check') : body.message,
    errors: error.details.errors ?? {},
    conflict: error instanceof FormConflict ? error : null,
    raw,
    hadFiles,
  };
}
