import { LOCALES, type Locale } from '#contract/vocabulary';
import { MESSAGES, type MessageKey } from './catalogue';

const DEFAULT_LOCALE: Locale = 'en';

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
 * The language of a response (WIRE-32). First choice: the supported language that `Accept-Language` prefers. A header
 * that is invalid or contains no supported language is ignored. Second choice: the language of the token's owner, if it
 * is supported. Third choice: English.
 */
export function localeFor(acceptLanguage: string | undefined, ownerLocale: string | null): Locale {
  return (acceptLanguage && preferredLocale(acceptLanguage)) || supportedLocale(ownerLocale ?? '') || DEFAULT_LOCALE;
}

/** The language that an account or a row stores; English if no language or an unknown language is stored. */
export function storedLocale(stored: string | null): Locale {
  return localeNamed(stored ?? undefined) ?? DEFAULT_LOCALE;
}

function preferredLocale(header: string): Locale | null {
  let best: Locale | null = null;
  let bestWeight = 0;
  for (const choice of header.split(',')) {
    const [tag = '', ...parameters] = choice.split(';');
    const locale = supportedLocale(tag);
    const weight = locale ? weightOf(parameters) : 0;
    if (weight > bestWeight) [best, bestWeight] = [locale, weight];
  }
  return best;
}

/** Returns the supported language of a tag, with or without a region: `cs` for `cs-CZ`. */
function supportedLocale(tag: string): Locale | null {
  return localeNamed(tag) ?? localeNamed(tag.trim().toLowerCase().split(/[-_]/)[0]);
}

function localeNamed(language: string | undefined): Locale | null {
  return LOCALES.find((locale) => locale === language) ?? null;
}

/**
 * The `q` of a language; 1 if there is none; 0 (the language is ignored) if the `q` is not a number from 0 to 1 with at
 * most three decimals.
 */
function weightOf(parameters: readonly string[]): number {
  const q = parameters
    .map((parameter) => /^\s*q\s*=\s*(.*?)\s*$/i.exec(parameter)?.[1])
    .find((value) => value !== undefined);
  if (q === undefined) return 1;
  return /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(q) ? Number(q) : 0;
}

/** Returns the form of a word for a number. There are 2 forms in English (one, other), 3 in Czech (one, few, other). */
export function wordFor(count: number, words: readonly string[], locale: Locale): string {
  const { rules, forms } = PLURALS[locale];
  const form = forms.indexOf(rules.select(count));
  return words[form < 0 ? words.length - 1 : form] ?? words.at(-1) ?? '';
}
