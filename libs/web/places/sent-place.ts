import type { MessageKey } from '#platform/messages/catalogue';
import { labelOfPlace, findPlace, type NamedPlace } from '#platform/places/place-names';

/** The result of reading a field `place`: a place, an error, or neither if the field is empty. */
export interface SentPlace {
  readonly place: NamedPlace | null;
  readonly error: MessageKey | null;
  /** The labels of at most 10 places to choose from, if several places match the text; otherwise empty. */
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
