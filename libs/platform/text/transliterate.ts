import slugifyLetters from 'slugify';
import { LIMITS } from '#contract/limits';

/**
 * Converts a text to ASCII: diacritics are removed; Cyrillic, Greek and other alphabets are converted letter by letter;
 * characters without an ASCII form, such as emoji, are removed. Several spaces become one space; spaces at the
 * beginning and at the end are removed.
 */
export function transliterate(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[^\P{L}\0-\x7f]+/gu, toLatin)
    .normalize('NFKD')
    .replace(/[“”„«»]/g, '"')
    .replace(/[‘’‚]/g, "'")
    .replace(/[‐-―−]/g, '-')
    .replace(/\s/g, ' ')
    .replace(/[^\x20-\x7e]+/g, '')
    .replace(/ {2,}/g, ' ')
    .trim();
}

/**
 * Returns the slug of a text: the readable part of an address, which consists of `a-z`, `0-9` and `-`. A slug longer
 * than `max` is cut between two words, or within a word if a cut between two words would leave at most `max / 2`
 * characters. Returns an empty text if nothing can be converted.
 */
export function slugify(text: string, max: number = LIMITS.slug.max): string {
  const slug = transliterate(text)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  if (slug.length <= max) return slug;
  const cut = slug.slice(0, max + 1);
  const word = cut.lastIndexOf('-');
  return word > max / 2 ? cut.slice(0, word) : slug.slice(0, max).replace(/-$/, '');
}

function toLatin(letters: string): string {
  return slugifyLetters(letters, { remove: /(?!)/, trim: false });
}
