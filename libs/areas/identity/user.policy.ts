import { electronicFormatIBAN, isValidIBAN } from 'ibantools';
import { Violations } from '#platform/http/input';
import type { UserDto } from './user.dto';
import type { User } from './user.entity';

const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,58}[a-z0-9])?$/;
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** A slug names a person in URLs: lower-case letters, digits and inner hyphens, at most 60. */
export function isUserSlug(slug: string): boolean {
  return SLUG.test(slug);
}

/** Who may make and use tokens: Premium, verified, or admin (api-spec, "Authentication" 3). */
export function mayUseTokens({ premiumUntil, verified, admin }: Pick<User, 'premiumUntil' | 'verified' | 'admin'>, now: Date): boolean {
  return verified || admin || (premiumUntil !== null && premiumUntil > now);
}

/** What the field decorators cannot say of an account's fields. */
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

const UNIQUE = { slug: 'users_slug_key', email: 'users_email' } as const;

/** Whether the database refused an account because another one has this. */
export function isTaken(error: unknown, what: keyof typeof UNIQUE): boolean {
  const { code, constraint } = (error as { driverError?: { code?: string; constraint?: string } } | null)?.driverError ?? {};
  return code === '23505' && constraint === UNIQUE[what];
}
