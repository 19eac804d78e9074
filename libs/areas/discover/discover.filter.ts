import { LIMITS } from '#contract/limits';
import type { EventPrice, DiscoverSource, EventType } from '#contract/vocabulary';
import { wordsIn } from '#platform/database/word-search';
import { Violations } from '#platform/http/violations';
import { chordOf } from '#platform/places/sphere';
import { endOfPragueDay, startOfPragueDay } from '#platform/time/prague';
import { isWithinYears } from '#platform/time/years';
import type { DiscoverQueryDto } from './discover.dto';
import { cellsAround, cellsWithin, type Box, type Circle } from './cells';

/**
 * How a text is searched (DISC-6, DISC-7). `words`: every word of the text is the beginning of a word of the event.
 * `part`: the whole text is a substring of the event's text. `short`: like `part`, for a text that has only short words
 * (many events contain such a text). `symbols`: like `part`, for one short word with characters other than letters and
 * digits (`C++`). The index of words is not used for such a text, because the index ignores these characters: the
 * search would find all events with a word that begins with `c`.
 */
type TextMatch = 'words' | 'part' | 'short' | 'symbols';

/** The validated filter of a Discover query. */
export interface DiscoverFilter {
  readonly text: { readonly match: TextMatch; readonly q: string } | null;
  readonly type: EventType | null;
  readonly source: DiscoverSource | null;
  /** Only events that start at this time or later. */
  readonly from: Date | null;
  /** Only events that start before this time. */
  readonly until: Date | null;
  readonly minParticipants: number | null;
  readonly seeking: boolean;
  readonly near: Near | null;
  readonly price: EventPrice | null;
  readonly box: BoxWithCells | null;
  /** Row ids of events. */
  readonly ids: readonly number[] | null;
  /** Slug of the organizer. */
  readonly organizer: string | null;
  /** Row id of the group; `DiscoverReader` checks that the caller sees the group. */
  readonly groupId: number | null;
  /** Row id of the series. */
  readonly seriesId: number | null;
  /** Whether to include the caller's own events. */
  readonly includesOwn: boolean;
}

/** A circle with the chord of its radius (`chordOf`), and with the cells of the map that cover the circle. */
export interface Near extends Circle {
  readonly chord: number;
  /** The result of `cellsAround`. */
  readonly cells: readonly number[] | null;
}

/** A box with the cells of the map that cover it. */
export interface BoxWithCells extends Box {
  /** The result of `cellsWithin`. */
  readonly cells: readonly number[] | null;
}

/**
 * Row ids from the parameters `ids`, `group` and `series`. An absent parameter is null. Invalid ids are omitted from
 * `ids`. An invalid `group` or `series` is null too, but for such a query `DiscoverReader` returns an empty page.
 */
export type FilterIds = Pick<DiscoverFilter, 'ids' | 'groupId' | 'seriesId'>;

/** Whether the filter selects events by their ids, organizer, group or series. */
export function isNarrow({ ids, organizer, groupId, seriesId }: DiscoverFilter): boolean {
  return ids !== null || organizer !== null || groupId !== null || seriesId !== null;
}

/** Whether the filter consists only of a short text (`short`). `includesOwn` does not count as a filter. */
export function isShortTextOnly({ text, ...rest }: DiscoverFilter): boolean {
  return (
    text?.match === 'short' &&
    Object.values({ ...rest, includesOwn: false }).every((value) => value === null || value === false)
  );
}

/**
 * @throws Refusal 422 if `ids` has too many ids, if `bbox` is not a box, if `date_to` is after the supported years, if
 * two parameters contradict each other or exclude each other, or if a required second parameter is missing (`lng` for
 * `lat`; `lat` for `lng` and for `sort=distance`)
 */
export function filterOf(query: DiscoverQueryDto, ids: FilterIds = NO_IDS): DiscoverFilter {
  const box = boxOf(query.bbox);
  refuseContradictions(query, box);
  return {
    text: textOf(query.q ?? ''),
    type: query.type ?? null,
    source: query.source ?? null,
    from: latest(query.date_from === undefined ? null : startOfPragueDay(query.date_from), query.starts_after ?? null),
    until: earliest(query.date_to === undefined ? null : endOfPragueDay(query.date_to), query.starts_before ?? null),
    // The organizer counts as a participant, so a minimum of 1 selects all events.
    minParticipants: query.min_participants !== undefined && query.min_participants > 1 ? query.min_participants : null,
    seeking: query.seeking_company ?? false,
    near: nearOf(query),
    price: query.price ?? null,
    box: box === null || box === 'unreadable' ? null : { ...box, cells: cellsWithin(box) },
    ...ids,
    organizer: query.organizer ?? null,
    includesOwn: false,
  };
}

const NO_IDS: FilterIds = { ids: null, groupId: null, seriesId: null };

function latest(one: Date | null, other: Date | null): Date | null {
  return one === null || (other !== null && other > one) ? other : one;
}

function earliest(one: Date | null, other: Date | null): Date | null {
  return one === null || (other !== null && other < one) ? other : one;
}

function refuseContradictions(
  { ids, lat, lng, date_from, date_to, starts_after, starts_before, bbox, sort, page, cursor }: DiscoverQueryDto,
  box: ReturnType<typeof boxOf>,
): void {
  const violations = new Violations();
  if (date_to !== undefined && !isWithinYears(endOfPragueDay(date_to)))
    violations.add('date_to', 'years', LIMITS.years);
  if (date_from !== undefined && date_to !== undefined && date_to < date_from)
    violations.add('date_to', 'not_before', { field: 'date_from' });
  if (starts_after && starts_before && starts_before <= starts_after)
    violations.add('starts_before', 'after', { field: 'starts_after' });
  if (ids !== undefined && ids.split(',').length > LIMITS.discover.ids.max)
    violations.add('ids', 'list_too_long', { max: LIMITS.discover.ids.max });
  if (box === 'unreadable') violations.add('bbox', 'bbox');
  if (bbox !== undefined && (lat !== undefined || lng !== undefined))
    violations.add('bbox', 'not_together', { field: 'lat' });
  if (sort === 'distance' && lat === undefined) violations.add('sort', 'only_with', { field: 'lat' });
  if (cursor !== undefined && page !== undefined) violations.add('cursor', 'not_together', { field: 'page' });
  violations.bothOrNone({ lat, lng }, 'lat', 'lng').throwIfAny();
}

const { prefix_word_min: PREFIX_WORD_MIN } = LIMITS.discover.q;

const LETTERS_AND_DIGITS = /^[\p{L}\p{Nd}]+$/u;

/** Returns null for a text without words, because such a text counts as absent. */
function textOf(q: string): DiscoverFilter['text'] {
  const words = wordsIn(q);
  const isShort = (word: string): boolean => [...word].length < PREFIX_WORD_MIN;
  if (words.length === 0) return null;
  if (!words.some(isShort)) return { match: 'words', q };
  if (!words.every(isShort)) return { match: 'part', q };
  return { match: words.length > 1 || LETTERS_AND_DIGITS.test(q.normalize('NFC').trim()) ? 'short' : 'symbols', q };
}

const DEGREES = /^-?\d{1,3}(\.\d{1,20})?$/;

/**
 * Returns null for an absent text. Returns 'unreadable' if the text is not `west,south,east,north` in degrees, if a
 * number is not on the map, or if `south` is greater than `north`.
 */
function boxOf(text: string | undefined): Box | null | 'unreadable' {
  if (text === undefined) return null;
  const parts = text.split(',').map((part) => part.trim());
  if (parts.length !== 4 || !parts.every((part) => DEGREES.test(part))) return 'unreadable';
  const [west = 0, south = 0, east = 0, north = 0] = parts.map(Number);
  const { latitude, longitude } = LIMITS;
  const isOnEarth =
    west >= longitude.min &&
    east <= longitude.max &&
    west <= longitude.max &&
    east >= longitude.min &&
    south >= latitude.min &&
    north <= latitude.max;
  return isOnEarth && south <= north ? { west, south, east, north } : 'unreadable';
}

function nearOf({ lat, lng, radius_km = LIMITS.discover.radius_km.default }: DiscoverQueryDto): Near | null {
  if (lat === undefined || lng === undefined) return null;
  const circle = { lat, lng, km: radius_km };
  return { ...circle, chord: chordOf(radius_km), cells: cellsAround(circle) };
}
