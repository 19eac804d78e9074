import { LOCALES, type Locale } from '#contract/vocabulary';
import { weightedNames } from '../text/weights';

const DEFAULT_LOCALE: Locale = 'en';

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
  for (const [tag, weight] of weightedNames(header)) {
    const locale = supportedLocale(tag);
    if (locale && weight > bestWeight) [best, bestWeight] = [locale, weight];
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
