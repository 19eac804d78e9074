import type { Locale } from '#contract/vocabulary';

/** The variant of each language in which dates and numbers are written: English is British. */
export const LANGUAGE_TAGS: Record<Locale, string> = { cs: 'cs-CZ', en: 'en-GB' };
