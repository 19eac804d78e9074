import { electronicFormatIBAN, isValidIBAN } from 'ibantools';
import { REMINDER_HOURS } from '#contract/vocabulary';
import { Violations } from '#platform/http/violations';
import { isTimeZone } from '#platform/time/time-zone';
import type { UserDto } from './user.dto';

/** This pattern excludes the characters that separate addresses in the headers of a mail. */
const EMAIL = /^[^\s@<>()[\],;:\\"]+@[^\s@<>()[\],;:\\"]+\.[^\s@<>()[\],;:\\"]+$/;

/** Checks the rules for the fields of an account that the field decorators cannot express. */
export function userViolations(fields: UserDto): Violations {
  const violations = new Violations();
  if (fields.email && !EMAIL.test(fields.email)) violations.add('email', 'email');
  if (fields.timezone !== undefined && !isTimeZone(fields.timezone)) violations.add('timezone', 'timezone');
  if (fields.iban && !isValidIBAN(electronicFormatIBAN(fields.iban) ?? '')) violations.add('iban', 'iban');
  const { reminder_hours: hours } = fields;
  if (hours !== undefined && !REMINDER_HOURS.includes(hours))
    violations.add('reminder_hours', 'one_of', { values: REMINDER_HOURS.join(', ') });
  return violations;
}
