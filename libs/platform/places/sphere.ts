/*
 * Places as points on a sphere of radius 1. The straight line between two of them grows with the arc above it, everywhere, across
 * the poles and the date line too: who compares lines compares great-circle distances. The same is said twice, in TypeScript and
 * as pieces of SQL, and both measure on the same Earth.
 */

/** Mean radius of the Earth, kilometres. */
export const EARTH_RADIUS = 6371.0088;

/** Degrees. */
export interface Place {
  readonly lat: number;
  readonly lng: number;
}

/** A point on a sphere of radius 1. */
export interface Point {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

export function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}

export function degrees(angle: number): number {
  return (angle * 180) / Math.PI;
}

export function pointAt({ lat, lng }: Place): Point {
  const around = Math.cos(radians(lat));
  return { x: around * Math.cos(radians(lng)), y: around * Math.sin(radians(lng)), z: Math.sin(radians(lat)) };
}

/** The line below an arc of so many kilometres. */
export function chordOf(km: number): number {
  return 2 * Math.sin(Math.min(km / EARTH_RADIUS, Math.PI) / 2);
}

/** By how much rounding may be off, in degrees or in radii. */
const HAIR = 1e-9;

/**
 * By how many degrees a place within so many kilometres may be further north or south (`high`), and further east or west (`wide`;
 * null when a pole is as near as that, and with it every meridian). A hair wider, since the line decides.
 */
export function reachAround(
  { lat }: Pick<Place, 'lat'>,
  km: number,
): { readonly high: number; readonly wide: number | null } {
  const high = degrees(km / EARTH_RADIUS) + HAIR;
  // The circle touches its widest meridians nearer to the pole than its middle.
  const sine = Math.sin(km / EARTH_RADIUS) / Math.cos(radians(lat));
  const polar = lat + high >= 90 || lat - high <= -90 || sine >= 1;
  return { high, wide: polar ? null : degrees(Math.asin(sine)) + HAIR };
}

/** Great-circle distance in kilometres. */
export function distanceKm(from: Place, to: Place): number {
  const a = pointAt(from);
  const b = pointAt(to);
  const chord = Math.hypot(a.x - b.x, a.y - b.y, a.z - b.z);
  return 2 * EARTH_RADIUS * Math.asin(Math.min(1, chord / 2));
}

/** SQL: the place of two parameters (latitude, longitude in degrees) as a `cube` on the sphere, worked out once a query. */
export function onSphere(latitude: string, longitude: string): string {
  return `(SELECT f_on_sphere(${latitude}, ${longitude}))`;
}

/** SQL: the line below an arc of so many kilometres. */
export function lineBelow(kilometres: string): string {
  return `(SELECT 2 * sin(${kilometres}::float8 / ${2 * EARTH_RADIUS}))`;
}

/** SQL: a `cube` that holds every place within so many kilometres of two parameters, for an index to look into. A hair wider, too. */
export function cubeAround(latitude: string, longitude: string, kilometres: string): string {
  return `(SELECT cube_enlarge(${onSphere(latitude, longitude)}, ${lineBelow(kilometres)} + ${HAIR}, 3))`;
}

/** SQL: the kilometres of the arc above a line. */
export function arcAbove(line: string): string {
  return `${2 * EARTH_RADIUS} * asin(least(1, ${line} / 2))`;
}

/** SQL: how many degrees of latitude so many kilometres span. */
export function degreesOfLatitude(kilometres: string): string {
  return `degrees(${kilometres}::float8 / ${EARTH_RADIUS})`;
}
