import type { Locale } from '#contract/vocabulary';

/** The name of the service on pages and in mails. */
export const BRAND: Readonly<Record<Locale, string>> = { cs: 'Akce', en: 'Events' };
