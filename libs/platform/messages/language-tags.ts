import type { Locale } from '#contract/vocabulary';

/** The tags with which dates, numbers and lists are formatted. English texts contain them in the British form. */
export const LANGUAGE_TAGS: Record<Locale, string> = { cs: 'cs-CZ', en: 'en-GB' };
