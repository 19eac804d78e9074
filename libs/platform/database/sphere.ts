/** Kilometres, of the sphere on which distances are measured. */
const EARTH_RADIUS = 6371;

/*
 * Pieces of SQL for places as points on the unit sphere (`f_on_sphere`, a `cube`). A straight line through the sphere
 * grows with the arc above it, so ordering by lines is ordering by great-circle distance, and a gist index can do it.
 */

/** The place of two parameters (latitude, longitude in degrees), worked out once a query. */
export function onSphere(latitude: string, longitude: string): string {
  return `(SELECT f_on_sphere(${latitude}, ${longitude}))`;
}

/** The line below an arc of so many kilometres. */
export function lineBelow(kilometres: string): string {
  return `(SELECT 2 * sin(${kilometres}::float8 / ${2 * EARTH_RADIUS}))`;
}

/** The kilometres of the arc above a line. */
export function arcAbove(line: string): string {
  return `${2 * EARTH_RADIUS} * asin(least(1, ${line} / 2))`;
}

/** Nobody within so many kilometres is further north or south; a hair wider, since the line decides. */
export function latitudesWithin(column: string, latitude: string, kilometres: string): string {
  const degrees = degreesOfLatitude(kilometres);
  return `${column} BETWEEN ${latitude}::float8 - ${degrees} - 1e-9 AND ${latitude}::float8 + ${degrees} + 1e-9`;
}

/** How many degrees of latitude so many kilometres span. */
export function degreesOfLatitude(kilometres: string): string {
  return `degrees(${kilometres}::float8 / ${EARTH_RADIUS})`;
}
