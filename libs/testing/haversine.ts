import type { Place } from '#platform/places/sphere';

/**
 * The great-circle distance in kilometres. Tests compare it with the result of the service, which uses another formula.
 */
export function haversine(from: Place, to: Place): number {
  const rad = Math.PI / 180;
  const half =
    Math.sin(((to.lat - from.lat) * rad) / 2) ** 2 +
    Math.cos(from.lat * rad) * Math.cos(to.lat * rad) * Math.sin(((to.lng - from.lng) * rad) / 2) ** 2;
  return 2 * 6371.0088 * Math.asin(Math.sqrt(half));
}
