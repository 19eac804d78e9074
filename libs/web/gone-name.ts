import { isPseudonym } from '#areas/identity/pseudonyms.commands';
import type { Locale } from '#contract/vocabulary';
import { translator } from './texts';

/** The name that pages show for a deleted account; null for any other person. */
export function goneName(person: { readonly slug: string; readonly name: string }, locale: Locale): string | null {
  return isPseudonym(person) ? translator(locale)('person_gone') : null;
}
