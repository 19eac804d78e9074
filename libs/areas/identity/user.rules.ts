import { electronicFormatIBAN, isValidIBAN } from 'ibantools';
import { REMINDER_HOURS } from '#contract/vocabulary';
import { Violations } from '#platform/http/violations';
import { pragueDay } from '#platform/time/prague';
import { isTimeZone } from '#platform/time/time-zone';
import type { UserDto } from './user.dto';

/** This pattern excludes the characters that separate addresses in the headers of a mail. */
const EMAIL = /^[^\s@<>()[\],;:\\"]+@[^\s@<>()[\],;:\\"]+\.[^\s@<>()[\],;:\\"]+$/;

export function emailViolations(email: string): Violations {
  const violations = new Violations();
  if (!EMAIL.test(email)) violations.add('email', 'email');
  return violations;
}

/**
 * Checks the rules that the decorators of an account's fields cannot express. A date of birth must not be later than
 * today in Prague.
 */
export function userViolations(fields: UserDto, now: Date): Violations {
  const violations = fields.email ? emailViolations(fields.email) : new Violations();
  if (fields.birth_date && fields.birth_date > pragueDay(now)) violations.add('birth_date', 'not_in_the_future');
  if (fields.timezone !== undefined && !isTimeZone(fields.timezone)) violations.add('timezone', 'timezone');
  if (fields.iban && !isValidIBAN(electronicFormatIBAN(fields.iban) ?? '')) violations.add('iban', 'iban');
  const { reminder_hours: hours } = fields;
  if (hours !== undefined && !REMINDER_HOURS.includes(hours))
    violations.add('reminder_hours', 'one_of', { values: REMINDER_HOURS.join(', ') });
  return violations;
}
