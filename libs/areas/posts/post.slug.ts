import { randomInt } from 'node:crypto';
import { LIMITS } from '#contract/limits';
import { isDryRun } from '#platform/context/current-request';
import { slugify } from '#platform/text/transliterate';

/** The slug for a title from which `slugify` makes an empty text. */
const DEFAULT_SLUG = 'post';

/** Names of other pages under /posts, which a slug must not have. */
const RESERVED: ReadonlySet<string> = new Set(['new']);

const SUFFIX_CHARACTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';
const SUFFIX_LENGTH = 6;

/**
 * Candidates for a title's slug. The caller uses the first free candidate. If the slug without a suffix is not a
 * reserved name, it is the first candidate. All other candidates have random suffixes. The suffixes are not counters,
 * so they do not reveal the number of posts and drafts with this title. In a dry run every candidate has a suffix, so
 * that no later post gets the slug that the dry run has returned (TRY-3).
 */
export function* slugsFor(title: string): Generator<string, never> {
  const withoutSuffix = slugify(title) || DEFAULT_SLUG;
  if (!isDryRun() && !RESERVED.has(withoutSuffix)) yield withoutSuffix;
  const short = slugify(title, LIMITS.slug.max - SUFFIX_LENGTH - 1) || DEFAULT_SLUG;
  for (;;) yield `${short}-${randomSuffix()}`;
}

function randomSuffix(): string {
  return Array.from({ length: SUFFIX_LENGTH }, () => SUFFIX_CHARACTERS[randomInt(SUFFIX_CHARACTERS.length)]).join('');
}
