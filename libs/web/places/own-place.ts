import type { OwnPlace } from '#areas/identity/user.entity';
import { Refusal } from '#platform/http/refusal';
import { sentPlace } from './sent-place';

/**
 * Finds the place of an account by the name that was typed in the form field `place`. Returns the current place if its
 * name is unchanged, and null for an empty field. Throws 422 for the field `place` if no place has this name, or if
 * several places have it.
 */
export function ownPlace(text: string | null | undefined, current: OwnPlace | null = null): OwnPlace | null {
  if (current !== null && text?.trim() === current.name) return current;
  const { place, error } = sentPlace(text ?? undefined);
  // The text of `place_unknown` suggests coordinates, which the forms of an account do not have.
  if (error) throw Refusal.invalid('place', error === 'place_unknown' ? 'own_place_unknown' : error);
  return place && { name: place.name, latitude: place.latitude, longitude: place.longitude };
}
