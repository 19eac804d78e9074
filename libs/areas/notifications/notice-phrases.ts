import { LIMITS } from '#contract/limits';
import type { Locale } from '#contract/vocabulary';
import { LANGUAGE_TAGS } from '#platform/messages/language-tags';
import {
  CHANGED_FIELDS,
  COMMENTING,
  MOVED_ON_MAP,
  NO_MESSAGE,
  OTHERS,
  PEOPLE,
  PLACE_SENTENCE,
  QUOTE,
  type ChangedField,
} from './further-notice.texts';

/** The parts of a notice from which its phrases are composed. */
interface PhraseSource {
  readonly words: Readonly<Record<string, string>>;
  readonly names?: readonly string[] | null;
  readonly quote?: string | null;
  readonly message?: string | null;
}

const MAX_QUOTE_LENGTH = LIMITS.notices.quoted;
const TIME_FIELDS: readonly ChangedField[] = ['starts', 'ends'];

/**
 * The parts of a text that are composed from the notice's `words`, names, quote and message (`does`: whether people
 * commented or replied). `instant` formats a time
 * in the reader's time zone.
 */
export function composedPhrases(
  notice: PhraseSource,
  locale: Locale,
  instant: (at: Date) => string,
): Readonly<Record<'changes' | 'where' | 'names' | 'quote' | 'does' | 'message', string>> {
  const { words, names = null, quote = null, message = null } = notice;
  return {
    changes: changesOf(words, locale, instant),
    where: words.place === undefined ? '' : PLACE_SENTENCE[locale].replace('{place}', () => words.place ?? ''),
    names: namesOf(names ?? [], Number(words.count ?? 0), locale),
    quote: quoteOf(quote, locale),
    message: message ?? NO_MESSAGE[locale],
    does: COMMENTING[words.does === 'reply' ? 'reply' : 'comment'][words.post === undefined ? 'event' : 'post'][locale],
  };
}

/**
 * Returns one sentence for each changed field, and one more sentence if the place on the map has changed. If an entry
 * `…_from` of `words` is empty, the field had no value. If an entry `…_to` is empty, the field has no value now.
 */
function changesOf(words: PhraseSource['words'], locale: Locale, instant: (at: Date) => string): string {
  const sentences = (Object.keys(CHANGED_FIELDS) as ChangedField[]).flatMap((field) => {
    const [from, to] = [words[`${field}_from`], words[`${field}_to`]];
    if (from === undefined || to === undefined) return [];
    const { text, missing } = CHANGED_FIELDS[field];
    const valueText = (word: string): string => {
      if (word === '') return missing[locale];
      return TIME_FIELDS.includes(field) ? instant(new Date(word)) : word;
    };
    return [text[locale].replace(/\{(from|to)\}/g, (_, side) => valueText(side === 'from' ? from : to))];
  });
  if (words.moved !== undefined) sentences.push(MOVED_ON_MAP[locale]);
  return sentences.join(' ');
}

/** For example "Petr, Eva and 3 others"; only the number of people if there are no names. */
function namesOf(names: readonly string[], count: number, locale: Locale): string {
  const plural = new Intl.PluralRules(LANGUAGE_TAGS[locale]);
  const countText = (texts: typeof OTHERS, number: number): string => {
    const text = texts[locale][plural.select(number)] ?? texts[locale].other;
    return text.replace('{count}', String(number));
  };
  if (names.length === 0) return countText(PEOPLE, count);
  const others = count - names.length;
  return new Intl.ListFormat(LANGUAGE_TAGS[locale]).format(others > 0 ? [...names, countText(OTHERS, others)] : names);
}

/**
 * The end of a sentence about a comment: a colon and the quote, which is cut if it is too long. Without a quote, the
 * end is a full stop.
 */
function quoteOf(quote: string | null, locale: Locale): string {
  const characters = Array.from((quote ?? '').replace(/\s+/g, ' ').trim());
  if (characters.length === 0) return '.';
  const text =
    characters.length <= MAX_QUOTE_LENGTH
      ? characters.join('')
      : `${characters
          .slice(0, MAX_QUOTE_LENGTH - 1)
          .join('')
          .trimEnd()}…`;
  return QUOTE[locale].replace('{quote}', () => text);
}
