import type { DiscoverSort } from '#contract/vocabulary';

/** A decoded cursor: the position of an event in the list with the order `sort`. */
export interface DiscoverCursor {
  readonly sort: DiscoverSort;
  /** Whether the event was boosted; always false in orders other than `default`. */
  readonly boosted: boolean;
  /**
   * The time by which the list is ordered (start or creation), in milliseconds. For `distance`: the length of the
   * straight line between the place `from` and the event, in Earth radii.
   */
  readonly key: number;
  readonly id: number;
  /**
   * The end, in milliseconds, of the boost that ended last before the first page was read. On all later pages, the
   * boosts that end after this time count as active, so all pages have the same boosted events. The value is 0 if no
   * boost is known to have ended, and in orders other than `default`.
   */
  readonly boostTime: number;
  /** The place from which distances are measured; null in all orders except `distance`. */
  readonly from: readonly [lat: number, lng: number] | null;
}

/** Version of the format; cursors of other versions are refused. */
const VERSION = 1;
/** The first and the last time that the service uses (years 1900 to 9999), in milliseconds. */
const [FIRST_MS, LAST_MS] = [Date.UTC(1900, 0), Date.UTC(10_000, 0) - 1];

export function encodeCursor({ sort, boosted, key, id, boostTime, from }: DiscoverCursor): string {
  return Buffer.from(JSON.stringify([VERSION, sort, boosted ? 1 : 0, key, id, boostTime, ...(from ?? [])])).toString(
    'base64url',
  );
}

/** Null if the text is not a cursor for this order and this place. */
export function decodeCursor(
  text: string,
  sort: DiscoverSort,
  from: readonly [lat: number, lng: number] | null,
): DiscoverCursor | null {
  const parts = parsed(text);
  if (parts === null) return null;
  const [version, cursorSort, boosted, key, id, boostTime, ...place] = parts;
  if (version !== VERSION || cursorSort !== sort) return null;
  if (boosted !== 0 && !(boosted === 1 && sort === 'default')) return null;
  if (!isFiniteNumber(key) || !Number.isSafeInteger(id) || !isTime(boostTime)) return null;
  if (sort !== 'distance' && !isTime(key)) return null;
  if (JSON.stringify(place) !== JSON.stringify(from ?? [])) return null;
  const cursor = { sort, boosted: boosted === 1, key, id: id as number, boostTime, from };
  // The decoder ignores characters that are not base64url, so it also decodes a cursor with additional characters. This
  // comparison refuses such a text.
  return encodeCursor(cursor) === text ? cursor : null;
}

function parsed(text: string): readonly unknown[] | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    return Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

function isFiniteNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function isTime(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= FIRST_MS && (value as number) <= LAST_MS;
}
