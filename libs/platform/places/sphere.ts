/*
 * Places as points on a sphere of radius 1. Two points with a longer arc between them always have a longer chord, also
 * across the poles and the date line. So comparing chords has the same result as comparing great-circle distances. Some
 * functions compute values; others return SQL that computes them, with the same radius of the Earth.
 */

/** Mean radius of the Earth, kilometres. */
export const EARTH_RADIUS = 6371.0088;

/** Coordinates in degrees. */
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
  const circleRadius = Math.cos(radians(lat));
  return {
    x: circleRadius * Math.cos(radians(lng)),
    y: circleRadius * Math.sin(radians(lng)),
    z: Math.sin(radians(lat)),
  };
}

/** The chord (straight distance) of an arc of `km` kilometres, in radii of the sphere. */
export function chordOf(km: number): number {
  return 2 * Math.sin(Math.min(km / EARTH_RADIUS, Math.PI) / 2);
}

/** Tolerance for rounding: in degrees for coordinates, and in radii of the sphere for chords. */
const TOLERANCE = 1e-9;

/**
 * The maximum differences in latitude and longitude, in degrees, between a place and the places within `km` kilometres
 * of it. `longitudeRange` is null if a pole is within that distance, because the places around the pole have all
 * longitudes. The values are slightly enlarged, so that rounding excludes no place that the exact comparison of chords
 * includes.
 */
export function boundsAround(
  { lat }: Pick<Place, 'lat'>,
  km: number,
): { readonly latitudeRange: number; readonly longitudeRange: number | null } {
  const latitudeRange = degrees(km / EARTH_RADIUS) + TOLERANCE;
  // Except at the equator, the easternmost point of the circle around the place is nearer to a pole than the place is.
  // Therefore the difference in longitude is asin(sin(angle) / cos(lat)), and not angle / cos(lat).
  const sine = Math.sin(km / EARTH_RADIUS) / Math.cos(radians(lat));
  const containsPole = lat + latitudeRange >= 90 || lat - latitudeRange <= -90 || sine >= 1;
  return { latitudeRange, longitudeRange: containsPole ? null : degrees(Math.asin(sine)) + TOLERANCE };
}

/** Great-circle distance in kilometres. */
export function distanceKm(from: Place, to: Place): number {
  const a = pointAt(from);
  const b = pointAt(to);
  const chord = Math.hypot(a.x - b.x, a.y - b.y, a.z - b.z);
  return 2 * EARTH_RADIUS * Math.asin(Math.min(1, chord / 2));
}

/**
 * SQL: the place with these coordinates (SQL expressions, in degrees) as a `cube` on the sphere, computed once per
 * query.
 */
export function onSphere(latitude: string, longitude: string): string {
  return `(SELECT f_on_sphere(${latitude}, ${longitude}))`;
}

/** SQL: the chord, in radii of the sphere, of an arc of `kilometres`. */
export function chordSql(kilometres: string): string {
  return `(SELECT 2 * sin(${kilometres}::float8 / ${2 * EARTH_RADIUS}))`;
}

/**
 * SQL: a `cube` that contains all places within this distance of the place with these coordinates, for an index lookup.
 * The cube is slightly enlarged, like the values of `boundsAround`.
 */
export function cubeAround(latitude: string, longitude: string, kilometres: string): string {
  return `(SELECT cube_enlarge(${onSphere(latitude, longitude)}, ${chordSql(kilometres)} + ${TOLERANCE}, 3))`;
}

/** SQL: the length in kilometres of a chord's arc. */
export function arcSql(chord: string): string {
  return `${2 * EARTH_RADIUS} * asin(least(1, ${chord} / 2))`;
}

/** SQL: the degrees of latitude spanned by this length in kilometres. */
export function degreesOfLatitude(kilometres: string): string {
  return `degrees(${kilometres}::float8 / ${EARTH_RADIUS})`;
}
