/** A place and how far around it, in degrees and kilometres. */
export interface Circle {
  readonly lat: number;
  readonly lng: number;
  readonly km: number;
}

/** A point on a sphere of radius 1. */
export interface Point {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/** Mean radius of the Earth, kilometres. */
const EARTH = 6371.0088;
const DEGREE = Math.PI / 180;

/** Cells are tenths of a degree; migration 0040 numbers them the same way. */
const CELLS_PER_DEGREE = 10;
const ROWS = 180 * CELLS_PER_DEGREE;
const COLUMNS = 360 * CELLS_PER_DEGREE;
const ROW = 10_000;

/** Degrees by which rounding may be off. */
const HAIR = 1e-9;

/** With more cells than these, going through the list in its order is cheaper than going through each of them. */
const MOST_CELLS = 200;

export function pointAt({ lat, lng }: Pick<Circle, 'lat' | 'lng'>): Point {
  const around = Math.cos(lat * DEGREE);
  return { x: around * Math.cos(lng * DEGREE), y: around * Math.sin(lng * DEGREE), z: Math.sin(lat * DEGREE) };
}

/** The straight line through the sphere between points so many kilometres apart: the nearer, the shorter. */
export function chordOf(km: number): number {
  return 2 * Math.sin(Math.min(km / EARTH, Math.PI) / 2);
}

/** Great-circle distance in kilometres. */
export function distanceKm(from: Pick<Circle, 'lat' | 'lng'>, to: Pick<Circle, 'lat' | 'lng'>): number {
  const a = pointAt(from);
  const b = pointAt(to);
  const chord = Math.hypot(a.x - b.x, a.y - b.y, a.z - b.z);
  return 2 * EARTH * Math.asin(Math.min(1, chord / 2));
}

/** Every cell a circle may touch, or null when they are too many. Across the antimeridian too. */
export function cellsAround({ lat, lng, km }: Circle): number[] | null {
  const high = km / EARTH / DEGREE + HAIR;
  // The circle touches its widest meridians nearer to the pole than its middle.
  const sine = Math.sin(km / EARTH) / Math.cos(lat * DEGREE);
  if (lat + high >= 90 || lat - high <= -90 || sine >= 1) return null;
  const wide = Math.asin(sine) / DEGREE + HAIR;
  const [top, bottom] = [row(lat + high), row(lat - high)];
  const [left, right] = [column(lng - wide), column(lng + wide)];
  if ((top - bottom + 1) * (right - left + 2) > MOST_CELLS) return null;
  const cells = new Set<number>();
  for (let y = bottom; y <= top; y++) {
    for (let x = left; x <= right; x++) {
      cells.add(y * ROW + wrapped(x));
      // 180 degrees east and west are one meridian with two numbers.
      if (wrapped(x) === 0) cells.add(y * ROW + COLUMNS);
    }
  }
  return [...cells];
}

function row(lat: number): number {
  return Math.min(ROWS, Math.max(0, Math.floor((lat + 90) * CELLS_PER_DEGREE)));
}

function column(lng: number): number {
  return Math.floor((lng + 180) * CELLS_PER_DEGREE);
}

function wrapped(x: number): number {
  return ((x % COLUMNS) + COLUMNS) % COLUMNS;
}
