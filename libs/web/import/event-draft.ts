import { LIMITS } from '#contract/limits';
import { decimalText } from '#platform/text/decimal';
import { isWithinYears } from '#platform/time/years';

/** An event that was found in a file of another site. Texts are plain, without HTML. */
export interface EventDraft {
  /** Empty if the file has no title. */
  readonly title: string;
  readonly description: string | null;
  /** Null if the file has no readable start. */
  readonly startsAt: Date | null;
  readonly endsAt: Date | null;
  /** Whether the start in the file is a day without a time. */
  readonly isAllDay: boolean;
  /** Whether the file names a time zone that is not known. The times are then in the zone of the account. */
  readonly isZoneUnknown: boolean;
  readonly locationName: string | null;
  readonly locationAddress: string | null;
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly priceCzk: number | null;
}

/** A remark about a draft, for the person who completes the form. */
export type DraftNote = 'no_title' | 'all_day' | 'no_start' | 'unknown_zone' | 'cut';

/** The values of the form's fields. */
export interface DraftFields {
  readonly title: string;
  readonly description: string;
  readonly location_name: string;
  readonly location_address: string;
  readonly latitude: string;
  readonly longitude: string;
  readonly price_czk: string;
  /** ISO 8601 in UTC; null if the draft has no start, or a start that no event can have. */
  readonly starts_at: string | null;
  /** Like `starts_at`, for the end. Always null if `starts_at` is null. */
  readonly ends_at: string | null;
}

/** A draft for the form of a new event. */
export interface FilledDraft {
  readonly fields: DraftFields;
  readonly notes: readonly DraftNote[];
  /** The fields whose texts were cut. */
  readonly cut: readonly (keyof DraftFields)[];
}

/** Converts a draft to the fields of the form of a new event. Texts that are too long for the form are cut. */
export function fieldsOf(draft: EventDraft): FilledDraft {
  const { title, location_name, location_address } = LIMITS.events;
  const cutFields: (keyof DraftFields)[] = [];
  const cut = (field: keyof DraftFields, text: string | null, max: number): string => {
    const characters = [...(text ?? '')];
    if (characters.length <= max) return text ?? '';
    cutFields.push(field);
    return `${characters
      .slice(0, max - 1)
      .join('')
      .trimEnd()}…`;
  };
  const startsAt = storable(draft.startsAt);
  const endsAt = startsAt && storable(draft.endsAt);
  const fields: DraftFields = {
    title: cut('title', draft.title, title.max),
    description: descriptionOf(draft.description, (text, max) => cut('description', text, max)),
    location_name: cut('location_name', draft.locationName, location_name.max),
    location_address: cut('location_address', draft.locationAddress, location_address.max),
    latitude: draft.latitude === null ? '' : decimalText(draft.latitude),
    longitude: draft.longitude === null ? '' : decimalText(draft.longitude),
    price_czk: draft.priceCzk === null ? '' : decimalText(draft.priceCzk),
    starts_at: startsAt?.toISOString() ?? null,
    ends_at: endsAt?.toISOString() ?? null,
  };
  const notes: DraftNote[] = [];
  if (draft.title === '') notes.push('no_title');
  if (startsAt === null) notes.push('no_start');
  else if (draft.isAllDay) notes.push('all_day');
  else if (draft.isZoneUnknown) notes.push('unknown_zone');
  if (cutFields.length > 0) notes.push('cut');
  return { fields, notes, cut: cutFields };
}

/** Returns null for a time that no event can have (WIRE-10). */
function storable(instant: Date | null): Date | null {
  return instant && isWithinYears(instant) ? instant : null;
}

/**
 * Converts a text to HTML within the limit of a description. Tags and entities count towards the limit, so a text with
 * many paragraphs, line breaks, `&`, `<` or `>` is cut earlier.
 */
function descriptionOf(text: string | null, cut: (text: string | null, max: number) => string): string {
  const { max } = LIMITS.events.description;
  for (let textMax: number = max; ; textMax = Math.floor(textMax * 0.9)) {
    const html = htmlOf(cut(text, textMax));
    if ([...html].length <= max) return html;
  }
}

/**
 * Converts the paragraphs and line breaks of a plain text to HTML. Unlike `escapedHtml`, this function keeps quotation
 * marks, because an entity would use six characters of the limit.
 */
function htmlOf(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return escaped
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim().replaceAll('\n', '<br>'))
    .filter((paragraph) => paragraph !== '')
    .map((paragraph) => `<p>${paragraph}</p>`)
    .join('');
}

/**
 * Divides a text such as "Club, Long Street 7": the part before the first comma is the name of the place, and the rest
 * is the address. An empty part is null.
 */
export function placeOf(text: string | null): Pick<EventDraft, 'locationName' | 'locationAddress'> {
  const [name = '', ...rest] = (text ?? '').split(',');
  return { locationName: name.trim() || null, locationAddress: rest.join(',').trim() || null };
}

/** Returns both coordinates if both are valid, otherwise null for both. */
export function positionOf(latitude: number, longitude: number): Pick<EventDraft, 'latitude' | 'longitude'> {
  const isOnGlobe =
    Number.isFinite(latitude) && Number.isFinite(longitude) && Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
  return isOnGlobe ? { latitude, longitude } : { latitude: null, longitude: null };
}
