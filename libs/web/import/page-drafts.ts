import { Parser } from 'htmlparser2';
import { parsedJson } from '#platform/text/json';
import { localInstant } from '../form/local-instant';
import { placeOf, positionOf, type EventDraft } from './event-draft';

/** Schema.org's `Event`, and its subtypes whose names do not end with "Event". */
const EVENT_TYPES = new Set(['Event', 'Festival', 'Hackathon', 'EventSeries', 'CourseInstance']);
/** Elements after which a new line begins. */
const LINES = new Set(['br', 'p', 'div', 'li', 'tr', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'blockquote']);
/** Elements whose content is not shown to people. */
const HIDDEN = new Set(['script', 'style']);
/** Maximum depth of nested lists and objects. Data from other sites may be nested much deeper. */
const MAX_DEPTH = 6;

type Data = Readonly<Record<string, unknown>>;

/**
 * Reads the events that a page describes for search engines (schema.org as JSON-LD). Events without a name are omitted.
 * Times without a zone are read in `zone`.
 */
export function pageDrafts(html: string, zone: string): EventDraft[] {
  return blocksOf(html)
    .flatMap((block) => eventsIn(parsedJson(block), MAX_DEPTH))
    .map((event) => draftOf(event, zone))
    .filter((draft) => draft !== null);
}

function blocksOf(html: string): string[] {
  const blocks: string[] = [];
  let isJsonLd = false;
  const parser = new Parser({
    onopentag: (name, { type = '' }) => {
      isJsonLd = name === 'script' && /^application\/ld\+json\b/i.test(type.trim());
      if (isJsonLd) blocks.push('');
    },
    ontext: (text) => {
      if (isJsonLd) blocks.push((blocks.pop() ?? '') + text);
    },
    onclosetag: () => {
      isJsonLd = false;
    },
  });
  parser.end(html);
  return blocks;
}

/**
 * Returns the events in a value, for example in a JSON-LD graph or in a list of items. An event inside another event is
 * not returned.
 */
function eventsIn(value: unknown, depth: number): Data[] {
  if (depth === 0) return [];
  if (Array.isArray(value)) return value.flatMap((item) => eventsIn(item, depth - 1));
  if (!isData(value)) return [];
  const types = [value['@type']]
    .flat()
    .filter((type) => typeof type === 'string')
    .map((type) => type.replace(/^https?:\/\/schema\.org\//, ''));
  if (types.some((type) => type.endsWith('Event') || EVENT_TYPES.has(type))) return [value];
  return Object.values(value).flatMap((part) => eventsIn(part, depth - 1));
}

function draftOf(event: Data, zone: string): EventDraft | null {
  const title = textOf(event.name);
  if (title === null) return null;
  const [start, end] = [timeOf(event.startDate, zone), timeOf(event.endDate, zone)];
  const endsAt = start && !start.isDay && end && !end.isDay && end.instant > start.instant ? end.instant : null;
  return {
    title,
    description: textOf(event.description),
    startsAt: start?.instant ?? null,
    endsAt,
    isAllDay: start?.isDay ?? false,
    isZoneUnknown: false,
    ...locationOf(event.location),
    priceCzk: priceOf(event.offers),
  };
}

/** Returns the first item of a list. In JSON-LD, a list may replace any single value. */
function firstOf(value: unknown): unknown {
  return Array.isArray(value) ? value[0] : value;
}

function isData(value: unknown): value is Data {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Removes tags and decodes entities, because sites write both into names and descriptions. A new line begins after each
 * of the elements `LINES`. The content of the elements `HIDDEN` is omitted. Null for an empty text, and for a value
 * that is not a text.
 */
function textOf(value: unknown): string | null {
  const html = firstOf(value);
  if (typeof html !== 'string') return null;
  let text = '';
  let isHidden = false;
  const parser = new Parser({
    onopentagname: (name) => {
      isHidden = HIDDEN.has(name);
    },
    ontext: (part) => {
      if (!isHidden) text += part;
    },
    onclosetag: (name) => {
      isHidden = false;
      if (LINES.has(name)) text += '\n';
    },
  });
  parser.end(html);
  return text.trim() || null;
}

function timeOf(value: unknown, zone: string): { instant: Date; isDay: boolean } | null {
  const written = firstOf(value);
  if (typeof written !== 'string') return null;
  const [, day, time, offset] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(?:\.\d+)?(Z|[+-]\d\d(?::?\d\d)?)?)?$/.exec(written.trim()) ?? [];
  if (!day) return null;
  const local = `${day}T${time ?? '00:00'}`;
  // `localInstant` also checks that the day exists. `Date` would change 30 February to a day of the next month.
  const instant =
    offset && localInstant(local, 'UTC')
      ? new Date(local + offset.replace(/^([+-]\d\d):?(\d\d)?$/, (_, hours, minutes = '00') => `${hours}:${minutes}`))
      : localInstant(local, zone);
  return instant && !Number.isNaN(instant.getTime()) ? { instant, isDay: !time } : null;
}

type Location = Pick<EventDraft, 'locationName' | 'locationAddress' | 'latitude' | 'longitude'>;

function locationOf(value: unknown): Location {
  const places: unknown[] = [value].flat().filter((one) => !isData(one) || one['@type'] !== 'VirtualLocation');
  const place = places.find(isData) ?? places[0];
  if (!isData(place)) return { ...placeOf(textOf(place)), ...positionOf(Number.NaN, Number.NaN) };
  const position = firstOf(place.geo);
  const geo = isData(position) ? position : {};
  return {
    locationName: textOf(place.name),
    locationAddress: addressOf(place.address),
    ...positionOf(numberOf(geo.latitude), numberOf(geo.longitude)),
  };
}

function addressOf(value: unknown): string | null {
  const address = firstOf(value);
  if (!isData(address)) return textOf(address);
  const parts = [address.streetAddress, address.postalCode, address.addressLocality].map(textOf);
  return parts.filter((part) => part !== null).join(', ') || null;
}

/** The lowest price in CZK; null if no offer has a price in CZK. */
function priceOf(offers: unknown): number | null {
  const prices = [offers]
    .flat()
    .filter(isData)
    .filter((offer) => offer.priceCurrency === 'CZK')
    .map((offer) => numberOf(offer.price ?? offer.lowPrice))
    .filter((price) => Number.isFinite(price) && price >= 0);
  return prices.length > 0 ? Math.min(...prices) : null;
}

/** An empty text is not a number, although `Number` converts it to 0. */
function numberOf(value: unknown): number {
  return typeof value === 'number' || (typeof value === 'string' && value.trim() !== '') ? Number(value) : Number.NaN;
}
