import { Violations } from '#platform/http/violations';
import { pragueDay } from '#platform/time/prague';

/** Throws 422 for a date of birth later than today in Prague. */
export function refuseFutureBirth({ birth_date }: { readonly birth_date?: string | null }, now: Date): void {
  const errors = new Violations();
  if (birth_date && birth_date > pragueDay(now)) errors.add('birth_date', 'not_in_the_future');
  errors.throwIfAny();
}
