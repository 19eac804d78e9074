import type { Locale } from '#contract/vocabulary';
import { MESSAGES, type MessageKey } from './catalogue';

/** Texts that no field gets: of the message as a whole, and of what a server cannot do at the moment. */
const OF_NO_FIELD: ReadonlySet<MessageKey> = new Set(['and_more', 'videos_unavailable', 'files_unavailable']);

/** What validation can say about a field, with the names of values in braces: `at least {min} characters`. */
export const FIELD_MESSAGES: readonly Readonly<Record<Locale, string>>[] = (Object.keys(MESSAGES) as MessageKey[])
  .filter((key) => !OF_NO_FIELD.has(key))
  .map((key) => ({ en: withOneForm(MESSAGES[key].en), cs: withOneForm(MESSAGES[key].cs) }));

/** Of a word that follows a number, the form for many. */
function withOneForm(text: string): string {
  return text.replace(/\{\w+\|([^}]*)\}/g, (_whole, forms: string) => forms.split('|').at(-1) ?? '');
}
