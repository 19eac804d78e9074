import type { OwnPlace } from '#platform/places/own-place';
import { Refusal } from '#platform/http/refusal';
import { sentPlace } from './sent-place';

/** Resolves the typed name of the person's own place; null for an empty field. @throws Refusal 422 on `place` */
export function ownPlace(text: string | null | undefined, before: OwnPlace | null = null): OwnPlace | null {
  if (before !== null && text?.trim() === before.name) return before;
  const { place, error } = sentPlace(text ?? undefined);
  if (error) throw Refusal.invalid('place', error);
  return place && { name: place.name, latitude: place.latitude, longitude: place.longitude };
}
