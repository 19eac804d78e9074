import type { OwnPlace } from '#platform/places/own-place';
import { Refusal } from '#platform/http/refusal';
import { sentPlace } from './sent-place';

/**
 * Resolves the name that the person entered as their own place. Null for an empty field. @throws Refusal 422 on `place`
 */
export function ownPlace(text: string | null | undefined, current: OwnPlace | null = null): OwnPlace | null {
  if (current !== null && text?.trim() === current.name) return current;
  const { place, error } = sentPlace(text ?? undefined);
  if (error) throw Refusal.invalid('place', error);
  return place && { name: place.name, latitude: place.latitude, longitude: place.longitude };
}
