import { isPseudonym } from '#areas/identity/pseudonyms.commands';
import type { UsersReader } from '#areas/identity/users.reader';
import type { Locale } from '#contract/vocabulary';
import { translator } from './texts';

/** The name that pages show for a deleted account; null for any other person. */
export function goneName(person: { readonly slug: string; readonly name: string }, locale: Locale): string | null {
  return isPseudonym(person) ? translator(locale)('person_gone') : null;
}

/** The name of the person with this slug, for the message after an action on this person. */
export async function nameBySlug(users: UsersReader, slug: string, locale: Locale): Promise<string> {
  return (await users.bySlug(slug))?.name ?? translator(locale)('person_gone');
}
