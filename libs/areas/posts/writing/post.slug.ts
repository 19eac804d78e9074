import { randomInt } from 'node:crypto';
import { LIMITS } from '#contract/limits';
import { isDryRun } from '#platform/context/current-request';
import { slugify } from '#platform/text/transliterate';

/** The slug for a title whose characters cannot be transliterated. */
const NAMELESS = 'post';

/** Names of other pages under /posts, which a slug must not have. */
const RESERVED: ReadonlySet<string> = new Set(['new']);

const TAIL_LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';
const TAIL_LENGTH = 6;

/**
 * Candidates for a title's slug, to be tried until one is free: first the plain slug, then slugs with random suffixes.
 * The suffixes are not counters, so they do not reveal the number of posts and drafts with this title. A dry run does
 * not show the plain slug, because a later post may get it.
 */
export function* slugsFor(title: string): Generator<string, never> {
  const plain = slugify(title) || NAMELESS;
  if (!isDryRun() && !RESERVED.has(plain)) yield plain;
  const short = slugify(title, LIMITS.slug.max - TAIL_LENGTH - 1) || NAMELESS;
  for (;;) yield `${short}-${tail()}`;
}

function tail(): string {
  return Array.from({ length: TAIL_LENGTH }, () => TAIL_LETTERS[randomInt(TAIL_LETTERS.length)]).join('');
}
