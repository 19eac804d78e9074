import { plainLetters } from './plain-letters';

/**
 * Text as it is compared in a search: lower case, no diacritics, no tags, everything but letters a-z and digits one
 * space (decisions, "search"). The database's f_fold makes the same of the stored texts.
 */
export function foldText(text: string): string {
  return plainLetters(withoutTags(text))
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();
}

/** Like f_fold's `<[^>]*>`, but in linear time: what follows the last `>` cannot be a tag. */
function withoutTags(text: string): string {
  const end = text.lastIndexOf('>') + 1;
  return text.slice(0, end).replace(/<[^>]*>/g, ' ') + text.slice(end);
}
