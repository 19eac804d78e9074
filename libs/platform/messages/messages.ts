import type { Locale } from '#contract/vocabulary';
import { MESSAGES, type MessageKey } from './catalogue';

/** Matches `{max}` (the value) and `{max|znak|znaky|znaků}` (the form of the word that fits the value). */
const PLACEHOLDER = /\{(\w+)(?:\|([^}]*))?\}/g;

const PLURALS: Record<Locale, { rules: Intl.PluralRules; forms: readonly Intl.LDMLPluralRule[] }> = {
  en: { rules: new Intl.PluralRules('en'), forms: ['one', 'other'] },
  cs: { rules: new Intl.PluralRules('cs'), forms: ['one', 'few', 'other'] },
};

/** A text of the message catalogue with its values. It is translated when it is written into a response or printed. */
export interface Text {
  readonly key: MessageKey;
  readonly values?: Readonly<Record<string, string | number>>;
}

/**
 * The text in a language, with its values. If a value is missing, its placeholder remains. `numberText` formats the
 * numbers. By default, numbers have no separators of thousands.
 */
export function translate({ key, values = {} }: Text, locale: Locale, numberText = plainNumberText): string {
  return MESSAGES[key][locale].replace(PLACEHOLDER, (placeholder, name: string, words: string | undefined) => {
    const value = values[name];
    if (value === undefined) return placeholder;
    if (words !== undefined) return wordFor(Number(value), words.split('|'), locale);
    return typeof value === 'number' ? numberText(value, locale) : value;
  });
}

function plainNumberText(value: number, locale: Locale): string {
  return locale === 'cs' ? String(value).replace('.', ',') : String(value);
}

/**
 * Returns the form of a word for a number. There are 2 forms in English (one, other), 3 in Czech (one, few, other).
 * Czech fractions get the last form.
 */
export function wordFor(count: number, words: readonly string[], locale: Locale): string {
  const { rules, forms } = PLURALS[locale];
  const form = forms.indexOf(rules.select(count));
  return words[form < 0 ? words.length - 1 : form] ?? words.at(-1) ?? '';
}
