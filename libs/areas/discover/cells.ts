import { boundsAround, type Place } from '#platform/places/sphere';

/** A place and a radius in kilometres. */
export interface Circle extends Place {
  readonly km: number;
}

/** A cell is a square of the map with sides of a tenth of a degree. Cells are numbered as in migration 0040. */
const CELLS_PER_DEGREE = 10;
const ROWS = 180 * CELLS_PER_DEGREE;
const COLUMNS = 360 * CELLS_PER_DEGREE;
const CELLS_PER_ROW = 10_000;

/**
 * Maximum number of cells to read. With more cells, it is cheaper to read the events in the order of the list and to
 * filter them by their place.
 */
const MAX_CELLS = 200;

/**
 * All cells that a circle may touch, also across the antimeridian. Null if the circle contains a pole, or if there may
 * be more than `MAX_CELLS` cells.
 */
export function cellsAround({ lat, lng, km }: Circle): number[] | null {
  const { latitudeRange, longitudeRange } = boundsAround({ lat }, km);
  if (longitudeRange === null) return null;
  const [top, bottom] = [row(lat + latitudeRange), row(lat - latitudeRange)];
  const [left, right] = [column(lng - longitudeRange), column(lng + longitudeRange)];
  // One more column than the circle touches, because the meridian at 180 degrees is in two columns.
  if ((top - bottom + 1) * (right - left + 2) > MAX_CELLS) return null;
  const cells = new Set<number>();
  for (let y = bottom; y <= top; y++) {
    for (let x = left; x <= right; x++) {
      cells.add(y * CELLS_PER_ROW + wrapped(x));
      // The meridian at 180 degrees is in two columns: column 0 for -180 degrees, and column COLUMNS for 180 degrees.
      if (wrapped(x) === 0) cells.add(y * CELLS_PER_ROW + COLUMNS);
    }
  }
  return [...cells];
}

/**
 * A part of the map in degrees, including its edges. The box crosses the antimeridian if `west` is greater than `east`.
 */
export interface Box {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/**
 * The ranges of longitude of a box, from west to east. There are two ranges if the box crosses or touches the
 * antimeridian, which is both -180 and 180 degrees. A box from -180 to 180 degrees has one range.
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

/** All cells that a box touches; null if there are more than `MAX_CELLS`. */
export function cellsWithin(box: Box): number[] | null {
  const [bottom, top] = [row(box.south), row(box.north)];
  const spans = spansOf(box).map(([from, to]) => [column(from), column(to)] as const);
  const columnCount = spans.reduce((sum, [from, to]) => sum + to - from + 1, 0);
  if ((top - bottom + 1) * columnCount > MAX_CELLS) return null;
  const cells: number[] = [];
  for (let y = bottom; y <= top; y++)
    for (const [from, to] of spans) for (let x = from; x <= to; x++) cells.push(y * CELLS_PER_ROW + x);
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
