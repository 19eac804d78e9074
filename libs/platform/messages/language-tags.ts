import type { Locale } from '#contract/vocabulary';

/** The tags with which dates, numbers and lists are formatted. English texts use British formats. */
export const LANGUAGE_TAGS: Record<Locale, string> = { cs: 'cs-CZ', en: 'en-GB' };
