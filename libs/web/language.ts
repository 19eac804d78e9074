import type { FastifyRequest } from 'fastify';
import { LOCALES, type Locale } from '#contract/vocabulary';

export const LANGUAGE_COOKIE = 'locale';

/**
 * The language that was chosen in this browser; null if none was chosen. Reads the `Cookie` header, because cookies are
 * not parsed for unknown paths.
 */
export function chosenLanguage({ headers }: FastifyRequest): Locale | null {
  const value = new RegExp(`(?:^|;)\\s*${LANGUAGE_COOKIE}=(\\w+)`).exec(headers.cookie ?? '')?.[1];
  return LOCALES.find((one) => one === value) ?? null;
}
