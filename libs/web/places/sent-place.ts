import type { MessageKey } from '#platform/messages/catalogue';
import { labelOfPlace, findPlace, type NamedPlace } from '#platform/places/place-names';

/** The result of reading a field `place`: empty, a place, or an error with the names of the places to choose from. */
export interface SentPlace {
  readonly place: NamedPlace | null;
  readonly error: MessageKey | null;
  readonly choices: readonly string[];
}

/** Reads a field `place` (PLACE-2). */
export function sentPlace(text: string | undefined): SentPlace {
  if (text === undefined || text.trim() === '') return { place: null, error: null, choices: [] };
  const match = findPlace(text);
  if (match.is === 'one') return { place: match.place, error: null, choices: [] };
  if (match.is === 'none') return { place: null, error: 'place_unknown', choices: [] };
  return { place: null, error: 'place_several', choices: match.places.map(labelOfPlace) };
}
