import type { Locale } from '#contract/vocabulary';

/** The regional variant for dates and numbers: English is British. */
export const LANGUAGE_TAGS: Record<Locale, string> = { cs: 'cs-CZ', en: 'en-GB' };
