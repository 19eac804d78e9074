import ICAL from 'ical.js';
import type { CalendarEntry } from '#areas/calendars/calendar-entry.resource';
import { withoutControls } from '#platform/text/characters';
import { decimalText } from '#platform/text/decimal';
import { textOfHtml } from '#platform/text/html';
import { fromPragueWallClock, PRAGUE_ZONE, pragueWallClock } from '#platform/time/prague';
import { PRAGUE, RULES_SINCE, type JCal } from './prague-zone';

/** The data of a calendar's file. */
export interface CalendarDocument {
  readonly name: string;
  readonly entries: readonly CalendarEntry[];
}

type Property = readonly [name: string, parameters: Readonly<Record<string, string>>, type: string, value: unknown];

// RFC 5545 (3.1) allows 75 bytes per line. ical.js does not count the space that begins a continued line, so the limit
// is set to 74.
ICAL.foldLength = 74;
// The two properties for the name of a calendar: `NAME` (RFC 7986, 5.1) and the older `X-WR-CALNAME`. Without this
// declaration ical.js would add the type to the properties, and old programs would not read the properties.
Object.assign(ICAL.design.icalendar.property as object, {
  name: { defaultType: 'text' },
  'x-wr-calname': { defaultType: 'text' },
});

/** The interval at which calendar programs should fetch the calendar again (RFC 7986, 5.7). */
const REFRESH = 'PT1H';
const SECOND_MS = 1000;

/**
 * An iCalendar file (RFC 5545, RFC 7986). The same calendar always gives the same text, because the text contains no
 * time of the request.
 */
export function icalendarOf({ name, entries }: CalendarDocument): string {
  const properties: Property[] = [
    ['version', {}, 'text', '2.0'],
    ['prodid', {}, 'text', '-//events//events//EN'],
    ['calscale', {}, 'text', 'GREGORIAN'],
    ['method', {}, 'text', 'PUBLISH'],
    ['name', {}, 'text', plain(name)],
    ['x-wr-calname', {}, 'text', plain(name)],
    ['refresh-interval', {}, 'duration', REFRESH],
    ['x-published-ttl', {}, 'unknown', REFRESH],
  ];
  const calendar: JCal = ['vcalendar', properties, [PRAGUE, ...entries.map(eventOf)]];
  return ICAL.stringify(calendar as unknown as unknown[]);
}

function eventOf(entry: CalendarEntry): JCal {
  const description = textOfHtml(entry.description ?? '');
  const properties: Property[] = [
    ['uid', {}, 'text', entry.uid],
    ['dtstamp', {}, 'date-time', utc(entry.changedAt)],
    ['last-modified', {}, 'date-time', utc(entry.changedAt)],
    ['sequence', {}, 'integer', entry.sequence],
    timeProperty('dtstart', entry.startsAt),
    ...(entry.endsAt ? [timeProperty('dtend', entry.endsAt)] : []),
    ['summary', {}, 'text', plain(entry.title)],
    ...(description ? [['description', {}, 'text', plain(description)] as const] : []),
    ...(entry.place ? [['location', {}, 'text', plain(entry.place)] as const] : []),
    ...(entry.position ? [['geo', {}, 'float', positionOf(entry.position)] as const] : []),
    ['url', {}, 'uri', entry.url],
    ['status', {}, 'text', entry.cancelled ? 'CANCELLED' : 'CONFIRMED'],
  ];
  return ['vevent', properties, []];
}

/**
 * Returns texts, because ical.js would write a number close to 0 with an exponent, which RFC 5545 (3.3.7) does not
 * allow.
 */
function positionOf({ latitude, longitude }: NonNullable<CalendarEntry['position']>): readonly string[] {
  return [latitude, longitude].map(decimalText);
}

/**
 * A property with a time in Prague's time zone, so that calendars can show the local time in Prague. In autumn one hour
 * occurs twice. A time in the second occurrence of this hour is written in UTC, because the local time would be
 * ambiguous. Times before RULES_SINCE are in UTC too.
 */
function timeProperty(name: string, instant: Date): Property {
  const wholeSecondMs = Math.floor(instant.getTime() / SECOND_MS) * SECOND_MS;
  const wall = pragueWallClock(new Date(wholeSecondMs));
  const { year, month, day, hour, minute, second } = wall;
  if (wholeSecondMs < RULES_SINCE || fromPragueWallClock(wall).getTime() !== wholeSecondMs)
    return [name, {}, 'date-time', utc(instant)];
  const local = new Date(Date.UTC(year, month - 1, day, hour, minute, second))
    .toISOString()
    .slice(0, '2026-11-20T18:00:00'.length);
  return [name, { tzid: PRAGUE_ZONE }, 'date-time', local];
}

function utc(instant: Date): string {
  return `${instant.toISOString().slice(0, '2026-11-20T18:00:00'.length)}Z`;
}

/**
 * Removes the control characters that RFC 5545 (3.3.11) forbids. Line ends become line feeds, because ical.js escapes
 * line feeds but not carriage returns.
 */
function plain(text: string): string {
  return withoutControls(text).replace(/\r\n?/g, '\n');
}
