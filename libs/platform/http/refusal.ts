import type { RefusalCode } from '#contract/refusals';
import type { MessageKey } from '../messages/catalogue';
import type { Text } from '../messages/messages';

/** Error texts by field name. Names of nested fields contain dots (`stops.0.title`). */
export type FieldErrors = Readonly<Record<string, readonly Text[]>>;

interface RefusalDetails {
  /** Set only for `validation_failed`. */
  readonly errors?: FieldErrors;
  /** The value of `Retry-After` in whole seconds, at least 1. */
  readonly retryAfter?: number;
  /** The current tag, for the header `ETag`; null if the resource has none. Set only for `precondition_failed`. */
  readonly etag?: string | null;
  /** The scope that the token lacks. Set only for `insufficient_scope`. */
  readonly scope?: string;
  /** The methods for the header `Allow`. Set only for `method_not_allowed`. */
  readonly allow?: readonly string[];
}

/**
 * An error response: `throw new Refusal('event_full')`. The status and the text of each code are in
 * contract/refusals.ts (WIRE-35, WIRE-36). The global exception filter writes the error envelope.
 */
export class Refusal extends Error {
  constructor(
    readonly code: RefusalCode,
    readonly details: RefusalDetails = {},
  ) {
    super(code);
  }

  /** Returns a 422 `validation_failed` with an error on one field: `Refusal.invalid('group', 'unknown')`. */
  static invalid(field: string, key: MessageKey, values?: Text['values']): Refusal {
    return new Refusal('validation_failed', { errors: { [field]: [values ? { key, values } : { key }] } });
  }
}
