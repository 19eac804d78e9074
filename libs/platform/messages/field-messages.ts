import type { Locale } from '#contract/vocabulary';
import { MESSAGES, type MessageKey } from './catalogue';

/** Messages that are not about a field, but about the whole request or the state of the server. */
const OF_NO_FIELD: ReadonlySet<MessageKey> = new Set([
  'and_more',
  'videos_unavailable',
  'files_unavailable',
  'maintenance',
]);

/** The texts of validation errors of fields, with the names of values in braces: `at least {min} characters`. */
export const FIELD_MESSAGES: readonly Readonly<Record<Locale, string>>[] = (Object.keys(MESSAGES) as MessageKey[])
  .filter((key) => !OF_NO_FIELD.has(key))
  .map((key) => ({ en: withOneForm(MESSAGES[key].en), cs: withOneForm(MESSAGES[key].cs) }));

/** Replaces a placeholder such as `{min|character|characters}` by its last form, the plural. */
function withOneForm(text: string): string {
  return text.replace(/\{\w+\|([^}]*)\}/g, (_whole, forms: string) => forms.split('|').at(-1) ?? '');
}
