import type { FastifyRequest } from 'fastify';
import { LOCALES, type Locale } from '#contract/vocabulary';

const LANGUAGE_COOKIE = 'locale';
const YEAR_SECONDS = 365 * 86_400;

/** The value of the header `Set-Cookie` that stores the chosen language in the browser for a year (PAGE-72). */
export function languageCookie(locale: Locale, baseUrl: string): string {
  const secure = baseUrl.startsWith('https:') ? '; Secure' : '';
  return `${LANGUAGE_COOKIE}=${locale}; Path=/; Max-Age=${YEAR_SECONDS}; SameSite=Lax; HttpOnly${secure}`;
}

/**
 * The language that the cookie of the request contains; null without this cookie, and for an unknown language. Reads
 * the `Cookie` header itself, because cookies are not parsed for unknown paths.
 */
export function chosenLanguage({ headers }: FastifyRequest): Locale | null {
  const value = new RegExp(`(?:^|;)\\s*${LANGUAGE_COOKIE}=(\\w+)`).exec(headers.cookie ?? '')?.[1];
  return LOCALES.find((one) => one === value) ?? null;
}
