import type { Text } from '../messages/messages';
import { Refusal } from './refusal';

/** Collects the violations in the fields of a request, so that one refusal reports them all. */
export class Violations {
  private readonly errors: Record<string, Text[]> = {};

  /** Adds a violation, for example `violations.add('longitude', 'required_with', { field: 'latitude' })`. */
  add(field: string, key: Text['key'], values?: Text['values']): this {
    (this.errors[field] ??= []).push(values ? { key, values } : { key });
    return this;
  }

  /**
   * Adds a violation for `other` if only `one` has a value, and for `one` if only `other` has a value. If one of the
   * two fields is null and the other field is absent, adds a violation for the absent field. `prefix`: a text before
   * the names of the fields, such as `stops.0.`.
   */
  bothOrNone<Field extends string>(
    sent: { readonly [field in Field]?: unknown },
    one: Field,
    other: Field,
    prefix = '',
  ): this {
    const [onePresence, otherPresence] = [presence(sent[one]), presence(sent[other])];
    if (onePresence < otherPresence) this.add(prefix + one, 'required_with', { field: other });
    if (otherPresence < onePresence) this.add(prefix + other, 'required_with', { field: one });
    return this;
  }

  /**
   * Returns the result of `check` if there are no violations; otherwise throws them. If `check` refuses fields, throws
   * the errors of `check` together with the violations. For a field that has both, only the violations are reported.
   */
  throwWith<T>(check: () => T): T {
    try {
      const result = check();
      this.throwIfAny();
      return result;
    } catch (error) {
      if (error instanceof Refusal && error.details.errors) {
        const errors = { ...error.details.errors, ...this.errors };
        throw new Refusal(error.code, { errors });
      }
      throw error;
    }
  }

  throwIfAny(): void {
    if (Object.keys(this.errors).length > 0) throw this.refusal();
  }

  refusal(): Refusal {
    return new Refusal('validation_failed', { errors: this.errors });
  }
}

/** Returns 0 for an absent field, 1 for null and 2 for a value. */
function presence(value: unknown): number {
  if (value === undefined) return 0;
  return value === null ? 1 : 2;
}
