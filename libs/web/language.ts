import type { FastifyRequest } from 'fastify';
import { LOCALES, type Locale } from '#contract/vocabulary';

export const LANGUAGE_COOKIE = 'locale';

/**
 * The language that was chosen in this browser; null before a choice. Reads the header, because unknown paths have no
 * parsed cookies.
 */
export function chosenLanguage({ headers }: FastifyRequest): Locale | null {
  const value = new RegExp(`(?:^|;)\\s*${LANGUAGE_COOKIE}=(\\w+)`).exec(headers.cookie ?? '')?.[1];
  return LOCALES.find((one) => one === value) ?? null;
}
