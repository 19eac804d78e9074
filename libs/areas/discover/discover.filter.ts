import { LIMITS } from '#contract/limits';
import type { EventPrice, DiscoverSource, EventType } from '#contract/vocabulary';
import { Violations } from '#platform/http/violations';
import { chordOf } from '#platform/places/sphere';
import { endOfPragueDay, startOfPragueDay } from '#platform/time/prague';
import { isWithinYears } from '#platform/time/years';
import type { DiscoverQueryDto } from './discover.dto';
import { cellsAround, type Circle } from './cells';

/**
 * How a text is searched (DISC-6, DISC-7). `words`: every word is the beginning of a word of the event. `part`: the
 * whole text is a part of the event's text. `scrap`: the same for words so short that many events contain each.
 */
type TextMatch = 'words' | 'part' | 'scrap';

/** The validated filter of a Discover query. */
export interface DiscoverFilter {
  readonly text: { readonly match: TextMatch; readonly q: string } | null;
  readonly type: EventType | null;
  readonly source: DiscoverSource | null;
  /** Starts not before. */
  readonly from: Date | null;
  /** Starts before. */
  readonly until: Date | null;
  readonly minParticipants: number | null;
  readonly seeking: boolean;
  readonly near: Near | null;
  readonly price: EventPrice | null;
  /** Whether to include the caller's own events. */
  readonly ownToo: boolean;
}

/** A circle with its cells. */
export interface Near extends Circle {
  readonly chord: number;
  /** The cells that it touches; null if they are too many to be read one by one. */
  readonly cells: readonly number[] | null;
}

/** Whether the filter consists of a scrap of text only. */
export function isScrapAlone({ text, ...rest }: DiscoverFilter): boolean {
  return (
    text?.match === 'scrap' &&
    Object.values({ ...rest, ownToo: false }).every((value) => value === null || value === false)
  );
}

/** Throws 422 if two parameters contradict each other. */
export function filterOf(query: DiscoverQueryDto): DiscoverFilter {
  refuseUnfitting(query);
  return {
    text: textOf(query.q ?? ''),
    type: query.type ?? null,
    source: query.source ?? null,
    from: query.date_from === undefined ? null : startOfPragueDay(query.date_from),
    until: query.date_to === undefined ? null : endOfPragueDay(query.date_to),
    // The organizer counts, so every event has at least one participant.
    minParticipants: query.min_participants !== undefined && query.min_participants > 1 ? query.min_participants : null,
    seeking: query.seeking_company ?? false,
    near: nearOf(query),
    price: null,
    ownToo: false,
  };
}

function refuseUnfitting({ lat, lng, date_from, date_to }: DiscoverQueryDto): void {
  const violations = new Violations();
  if (date_to !== undefined && !isWithinYears(endOfPragueDay(date_to)))
    violations.add('date_to', 'years', LIMITS.years);
  if (date_from !== undefined && date_to !== undefined && date_to < date_from)
    violations.add('date_to', 'not_before', { field: 'date_from' });
  violations.bothOrNone({ lat, lng }, 'lat', 'lng').throwIfAny();
}

const { prefix_word_min: SHORTEST } = LIMITS.discover.q;
const WORD = /[\p{L}\p{N}\p{M}]+/gu;

/** Null for a text without words, as if it were absent. */
function textOf(q: string): DiscoverFilter['text'] {
  const lengths = (q.normalize('NFC').match(WORD) ?? []).map((word) => [...word].length);
  if (lengths.length === 0) return null;
  const match = lengths.every((length) => length >= SHORTEST)
    ? 'words'
    : lengths.some((length) => length >= SHORTEST)
      ? 'part'
      : 'scrap';
  return { match, q };
}

function nearOf({ lat, lng, radius_km = LIMITS.discover.radius_km.default }: DiscoverQueryDto): Near | null {
  if (lat === undefined || lng === undefined) return null;
  const circle = { lat, lng, km: radius_km };
  return { ...circle, chord: chordOf(radius_km), cells: cellsAround(circle) };
}
