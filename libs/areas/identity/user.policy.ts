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
 * Whether the slug is reserved, because it looks like the slug of a deleted account (ACC-11). No account can take such
 * a slug; an account that already has one does not lose it.
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
