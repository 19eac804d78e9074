import { randomInt } from 'node:crypto';
import { LIMITS } from '#contract/limits';
import { isDryRun } from '#platform/context/current-request';
import { slugify } from '#platform/text/transliterate';

/** For a title without transliterable characters. */
const NAMELESS = 'post';

/** Pages next to those of the posts: /posts/new. */
const RESERVED: ReadonlySet<string> = new Set(['new']);

const TAIL_LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';
const TAIL_LENGTH = 6;

/**
 * Candidates for a title's slug, to be tried until one is free: plain, then with random suffixes. The suffixes are no
 * counters, so they do not reveal the number of posts and drafts with this title. A dry run does not show the plain
 * slug, which a later post may get.
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
