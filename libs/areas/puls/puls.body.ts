import { PULS_TAGS } from '#contract/vocabulary';
import { cleanHtml, hasVisibleText } from '#platform/text/html';

/** Returns the sanitized HTML, or null if nothing visible remains. */
export function cleanBodyOrNull(html: string | null): string | null {
  const clean = html === null ? '' : cleanHtml(html, PULS_TAGS);
  return hasVisibleText(clean) ? clean : null;
}
