import type { RefusalCode } from '#contract/refusals';
import type { MessageKey } from '../messages/catalogue';
import type { Text } from '../messages/messages';

/** Dotted field names (`stops.0.title`) with their texts. */
export type FieldErrors = Readonly<Record<string, readonly Text[]>>;

interface RefusalDetails {
  /** Only with `validation_failed`. */
  readonly errors?: FieldErrors;
  /** Whole seconds, at least 1; becomes `Retry-After`. */
  readonly retryAfter?: number;
  /** The current tag for `ETag`, null if there is none; only with `precondition_failed`. */
  readonly etag?: string | null;
  /** The scope that the token would need; only with `insufficient_scope`. */
  readonly scope?: string;
  /** Methods for `Allow`; only with `method_not_allowed`. */
  readonly allow?: readonly string[];
}

/**
 * A refusal of a request: `throw new Refusal('event_full')`. Status and text come from the catalogue
 * (contract/refusals.ts; WIRE-35, WIRE-36), the envelope from the global exception filter.
 */
export class Refusal extends Error {
  constructor(
    readonly code: RefusalCode,
    readonly details: RefusalDetails = {},
  ) {
    super(code);
  }

  /** 422 `validation_failed` on one field: `Refusal.invalid('group', 'unknown')`. */
  static invalid(field: string, key: MessageKey, values?: Text['values']): Refusal {
    return new Refusal('validation_failed', { errors: { [field]: [values ? { key, values } : { key }] } });
  }
}
