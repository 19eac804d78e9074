import type { User } from './user.entity';
import { LIMITS } from '#contract/limits';

const SLUG = new RegExp(`^(?=.{1,${LIMITS.accounts.slug.max}}$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$`);

/**
 * Whether the text may be a slug, which identifies a person in URLs. A slug has at most 60 characters: lower-case
 * letters, digits, and hyphens between them.
 */
export function isUserSlug(slug: string): boolean {
  return SLUG.test(slug);
}

/**
 * Whether only pseudonyms of deleted accounts have such slugs (`randomSlug`), so that nobody takes a new slug that
 * looks like one.
 */
export function isReservedSlug(slug: string): boolean {
  return /^deleted(?:-|$)/.test(slug);
}

/** Whether the account may create and use tokens: Premium, verified, or admin (ACC-5). */
export function mayUseTokens(
  { premiumUntil, verified, admin }: Pick<User, 'premiumUntil' | 'verified' | 'admin'>,
  now: Date,
): boolean {
  return verified || admin || (premiumUntil !== null && premiumUntil > now);
}
