import type { Locale } from '#contract/vocabulary';

export const NO_BREAK_SPACE = '\u00a0';
/** No line break is allowed beside this character, which has no width. */
export const WORD_JOINER = '\u2060';
/** The space after a Czech preposition or conjunction of one letter. */
const AFTER_ONE_LETTER = /(?<=(?<![\p{L}\p{N}])[aikosuvz]) (?=\S)/giu;
/** The space between a number, or a placeholder for a number, and its unit or the counted word. */
const BEFORE_UNIT = /(?<=\d|\{(?:count|max|min)\}) (?=\p{Ll}|Kč|MB|%)|(?<=\}) (?=\{\w+\||Kč|MB|%)/gu;

/**
 * The text with no-break spaces where Czech does not allow a line to end. English texts are returned unchanged. The
 * placeholders of the texts in `texts.ts` (`{count}`, `{count|den|dny|dní}`) may still be in the text.
 */
export function withoutBadBreaks(text: string, locale: Locale): string {
  if (locale !== 'cs') return text;
  return text.replace(AFTER_ONE_LETTER, NO_BREAK_SPACE).replace(BEFORE_UNIT, NO_BREAK_SPACE);
}
