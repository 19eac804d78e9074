import { reachAround, type Place } from '#platform/places/sphere';

/** A place and a radius in kilometres. */
export interface Circle extends Place {
  readonly km: number;
}

/** Cells are tenths of a degree, numbered as in migration 0040. */
const CELLS_PER_DEGREE = 10;
const ROWS = 180 * CELLS_PER_DEGREE;
const COLUMNS = 360 * CELLS_PER_DEGREE;
const ROW = 10_000;

/** With more cells, reading the list in its order is cheaper than reading each cell. */
const MOST_CELLS = 200;

/** All cells that a circle may touch, also across the antimeridian; null above MOST_CELLS. */
export function cellsAround({ lat, lng, km }: Circle): number[] | null {
  const { high, wide } = reachAround({ lat }, km);
  if (wide === null) return null;
  const [top, bottom] = [row(lat + high), row(lat - high)];
  const [left, right] = [column(lng - wide), column(lng + wide)];
  if ((top - bottom + 1) * (right - left + 2) > MOST_CELLS) return null;
  const cells = new Set<number>();
  for (let y = bottom; y <= top; y++) {
    for (let x = left; x <= right; x++) {
      cells.add(y * ROW + wrapped(x));
      // 180 degrees east and west are the same meridian with two numbers.
      if (wrapped(x) === 0) cells.add(y * ROW + COLUMNS);
    }
  }
  return [...cells];
}

/** A part of the map in degrees, edges included. With `west` above `east` the box crosses the date line. */
export interface Box {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/**
 * The spans of longitudes of a box, from west to east: two if the box crosses or touches the date line, where -180 and
 * 180 are the same meridian.
 */
export function spansOf({ west, east }: Box): readonly (readonly [from: number, to: number])[] {
  if (west > east)
    return [
      [west, 180],
      [-180, east],
    ];
  if (west === -180 && east < 180)
    return [
      [west, east],
      [180, 180],
    ];
  if (east === 180 && west > -180)
    return [
      [west, east],
      [-180, -180],
    ];
  return [[west, east]];
}

/** All cells that a box touches; null if they are too many. */
export function cellsWithin(box: Box): number[] | null {
  const [bottom, top] = [row(box.south), row(box.north)];
  const spans = spansOf(box).map(([from, to]) => [column(from), column(to)] as const);
  const wide = spans.reduce((sum, [from, to]) => sum + to - from + 1, 0);
  if ((top - bottom + 1) * wide > MOST_CELLS) return null;
  const cells: number[] = [];
  for (let y = bottom; y <= top; y++)
    for (const [from, to] of spans) for (let x = from; x <= to; x++) cells.push(y * ROW + x);
  return cells;
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
