import { Violations } from '#platform/http/violations';
import { pragueDay } from '#platform/time/prague';

/** 422 on a date of birth after today in Prague. */
export function refuseFutureBirth({ birth_date }: { readonly birth_date?: string | null }, now: Date): void {
  const errors = new Violations();
  if (birth_date && birth_date > pragueDay(now)) errors.add('birth_date', 'not_in_the_future');
  errors.throwIfAny();
}
