import { electronicFormatIBAN, isValidIBAN } from 'ibantools';
import { Violations } from '#platform/http/violations';
import type { UserDto } from './user.dto';

/** Excludes the characters that separate addresses in a mail's headers. */
const EMAIL = /^[^\s@<>()[\],;:\\"]+@[^\s@<>()[\],;:\\"]+\.[^\s@<>()[\],;:\\"]+$/;

/** Rules on an account's fields that the field decorators cannot express. */
export function userViolations(fields: UserDto): Violations {
  const violations = new Violations();
  if (fields.email && !EMAIL.test(fields.email)) violations.add('email', 'email');
  if (fields.timezone !== undefined && !isTimeZone(fields.timezone)) violations.add('timezone', 'timezone');
  if (fields.iban && !isValidIBAN(electronicFormatIBAN(fields.iban) ?? '')) violations.add('iban', 'iban');
  return violations;
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
